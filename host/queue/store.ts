import type { HostProcess } from '../process';

/** A server of data on the loopback interface. */
export interface Store extends HostProcess {
	readonly port: number;
}
