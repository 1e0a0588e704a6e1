import type { IDataObject, INode } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { bitcoinPayment, etherPayment, transactionId, trxPayment } from '../data/transactions';
import { table } from './dataTable';
import { type Explorers, startExplorers } from '../servers/explorers';
import { stage } from './stage';
import { parametersOf } from './templateParameters';
import { yearlySchedule } from './schedules';

interface WatchedRow extends IDataObject {
	checked_at: string | null;
	problem: string | null;
}

interface ReceivedRow extends IDataObject {
	reference: string;
	address: string;
	amount: string;
	asset: string;
	outcome: string | null;
	tell_at: string | null;
}

export const longAgo = '2009-01-01T00:00:00.000Z';

/** The rows of *Screening Watch* for the wallets of each network. */
export const watchedWallets = {
	bitcoin: { wallet: bitcoinPayment.to, network: 'bitcoin' },
	ethereum: { wallet: etherPayment.to, network: 'ethereum' },
	tron: { wallet: trxPayment.to, network: 'Tron' },
};
export type Network = keyof typeof watchedWallets;
export const networks = Object.keys(watchedWallets) as Network[];

/**
 * Publishes the workflow of a network with these values in its plan, e.g. which explorer it asks,
 * and when.
 */
export async function publishWatch(
	network: Network,
	plan: IDataObject,
	schedule: Partial<INode>,
): Promise<Saved<Workflow>> {
	const parameters = parametersOf(`watch-${network}`, 'Plan');
	for (const entry of parameters.assignments.assignments)
		entry.value = plan[entry.name] ?? entry.value;
	const changes = { 'Every Ten Minutes': schedule, Plan: { parameters } };
	return await stage.publishTemplate(`watch-${network}`, changes);
}

/**
 * The workflows that ask explorers for payments and the one that screens those, their tables, and
 * payments to the watched wallets.
 */
export class Watch {
	readonly watched = table('Screening Watch');
	readonly received = table('Screening Received');

	private constructor(
		readonly explorers: Explorers,
		private readonly readers: Readonly<Record<Network, Saved<Workflow>>>,
		readonly screener: Saved<Workflow>,
	) {}

	static async publish(): Promise<Watch> {
		const explorers = await startExplorers();
		const readers: Partial<Record<Network, Saved<Workflow>>> = {};
		for (const network of networks) {
			const plan = { explorer: explorers.urls[network] };
			readers[network] = await publishWatch(network, plan, yearlySchedule);
		}
		const schedule = { 'Every Ten Minutes': yearlySchedule };
		const screener = await stage.publishTemplate('watch-screen', schedule);
		return new Watch(explorers, readers as Record<Network, Saved<Workflow>>, screener);
	}

	async clear(): Promise<void> {
		this.explorers.clear();
		await this.watched.clear();
		await this.received.clear();
	}

	async close(): Promise<void> {
		await this.explorers.close();
		await this.watched.clear();
		await stage.withdrawAll();
	}

	/** Adds the wallets of these networks to the watched ones, as if they had never been read. */
	async watch(...added: Network[]): Promise<void> {
		await this.watched.insert(
			...added.map((network) => ({ ...watchedWallets[network], checked_at: longAgo })),
		);
	}

	/** Does what n8n does every ten minutes for these networks. */
	async read(...toRead: Network[]): Promise<void> {
		for (const network of toRead) await stage.runFrom(this.readers[network], 'Every Ten Minutes');
	}

	/** Reads a network with a workflow whose plan lists these tokens. */
	async readWithTokens(network: Network, tokens: string): Promise<void> {
		const plan = { explorer: this.explorers.urls[network], tokens };
		const reader = await publishWatch(network, plan, yearlySchedule);
		await stage.runFrom(reader, 'Every Ten Minutes');
	}

	/** Screens the payments that were read, as n8n does every ten minutes. */
	async screen(): Promise<void> {
		await stage.runFrom(this.screener, 'Every Ten Minutes');
	}

	async watchedRows(): Promise<WatchedRow[]> {
		return await this.watched.rows<WatchedRow>();
	}

	async receivedRows(): Promise<ReceivedRow[]> {
		return await this.received.rows<ReceivedRow>();
	}

	/** Reads the transaction, the sender and the amount that are stored of each payment. */
	async payments(): Promise<Array<[id: string, sender: string, amount: string]>> {
		const rows = await this.receivedRows();
		return rows.map((row) => [row.reference, row.address, `${row.amount} ${row.asset}`]);
	}

	/** Pays 0.5 BTC, to which each sender contributes an input of 0.6 BTC. The values are in satoshi. */
	payBitcoin(name: string | number, ...senders: string[]): void {
		this.explorers.bitcoin.push({
			txid: transactionId(name),
			inputs: senders.map((address) => ({ address, value: 60_000_000 })),
			outputs: [{ address: bitcoinPayment.to, value: 50_000_000 }],
		});
	}

	/** Pays 1.5 ETH. `changed` replaces fields of the transaction. The value is in wei. */
	payEther(name: string | number, from: string, changed: object = {}): void {
		this.explorers.ethereum.push({
			list: 'txlist',
			hash: `0x${transactionId(name)}`,
			from,
			to: etherPayment.to,
			value: '1500000000000000000',
			...changed,
		});
	}

	/** Pays 99 TRX. TronGrid writes the addresses in a transfer in hexadecimal digits. */
	payTrx(txID: string, block_timestamp = Date.now()): void {
		const value = { amount: 99_000_000, owner_address: 'in hexadecimal', to_address: '' };
		const contract = [{ parameter: { value }, type: 'TransferContract' }];
		const entry = {
			ret: [{ contractRet: 'SUCCESS' }],
			txID,
			block_timestamp,
			raw_data: { contract },
		};
		const { from, to } = trxPayment;
		this.explorers.tron.push({ list: 'transactions', block_timestamp, from, to, entry });
	}

	/** Pays 2.5 of a token on Tron that calls itself USDT. `contract` is its address. */
	payTronToken(name: string, contract: string): void {
		const token_info = { symbol: 'USDT', decimals: 6, address: contract };
		const { from, to } = trxPayment;
		const parties = { from, to, block_timestamp: Date.now() };
		const transaction_id = transactionId(name);
		const entry = { ...parties, transaction_id, type: 'Transfer', token_info, value: '2500000' };
		this.explorers.tron.push({ list: 'transactions/trc20', ...parties, entry });
	}
}
