import { describeFaults } from './suite';

describeFaults('bulkJob');
