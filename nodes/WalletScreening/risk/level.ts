import { sameName } from './names';

/** Whether a level is the one that gives no cause for concern. Which others there are is not specified (section 2.2). */
export function isGreen(level: unknown): boolean {
	return sameName(level, 'green');
}
