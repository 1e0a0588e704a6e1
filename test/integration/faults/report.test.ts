import { describeFaults } from './suite';

describeFaults('report');
