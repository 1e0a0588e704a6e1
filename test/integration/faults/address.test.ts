import { describeFaults } from './suite';

describeFaults('address');
