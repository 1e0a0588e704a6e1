import type { IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../service/client';
import type { Clock } from '../pace/clock';
import { connect } from './connect';
import { cancelSignal } from './context';
import { type Options, readOptions } from './options';
import { type ItemRules, readItemRules } from './rules';
import { systemClock } from './time';

/** What an operation works with, the same for all its items. */
export interface Screening extends ItemRules {
	client: Client;
	clock: Clock;
	options: Options;
}

/** Throws `invalid_input` for an option or a credential that cannot be right. */
export async function prepare(context: IExecuteFunctions): Promise<Screening> {
	const options = readOptions(context);
	const client = await connect(context, options);
	const rules = await readItemRules(context);
	return { client, clock: systemClock(cancelSignal(context)), options, ...rules };
}
