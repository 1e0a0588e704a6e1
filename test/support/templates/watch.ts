import { createHash } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2';
import { createBase58check } from '@scure/base';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { table } from './dataTable';
import { type Explorers, startExplorers } from '../servers/explorers';
import { parametersOf, stage, yearlySchedule } from './stage';

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

/**
 * The transaction that paid 10,000 bitcoins for two pizzas. All its inputs are of one address.
 * `time` is in seconds of Unix time.
 */
export const pizza = {
	txid: 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d',
	time: 1_274_552_191,
	from: '1XPTgDRhN8RFnzniWCddobD9iKZatrvH4',
	to: '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ',
};

/** The first transaction of Ethereum. `time` is in seconds of Unix time. */
export const firstEther = {
	hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
	time: 1_438_918_233,
	from: '0xa1e4380a3b1f749673e270229993ee55f35663b4',
	to: '0x5df9b87991262f6ba471f09758cde1c0fc1de734',
};

const base58 = (hex: string) => createBase58check(sha256).encode(Buffer.from(hex, 'hex'));

/** A transfer of 99 TRX. `time` is in milliseconds of Unix time. */
export const trx = {
	txID: '9d67598c8b90336fb876efc7a2b7b78534dab94a802baf481632c17bae11ce2e',
	time: 1_551_759_039_537,
	from: base58('4179309abcff2cf531070ca9222a1f72c4a5136874'),
	to: base58('41a2d3cb65d9c05da645a0206304d8ef7d7e67f82c'),
};

/** The contracts of the token USDT. */
export const tronUsdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const ethereumUsdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';

export const longAgo = '2009-01-01T00:00:00.000Z';

/** Returns an ID of a transaction: 64 hexadecimal digits, always the same for the same name. */
export const transactionId = (name: string | number) =>
	createHash('sha256').update(`watch ${name}`).digest('hex');

/** For each network, a row of *Screening Watch*. */
export const watchedWallets = {
	bitcoin: { wallet: pizza.to, network: 'bitcoin' },
	ethereum: { wallet: firstEther.to, network: 'ethereum' },
	tron: { wallet: trx.to, network: 'Tron' },
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

	/** Reads what is stored of each payment: its transaction, its sender, its amount. */
	async payments(): Promise<Array<[id: string, sender: string, amount: string]>> {
		const rows = await this.receivedRows();
		return rows.map((row) => [row.reference, row.address, `${row.amount} ${row.asset}`]);
	}

	/** Pays 0.5 BTC. Each sender puts in 0.6 BTC. The values are in satoshi. */
	payBitcoin(name: string | number, ...senders: string[]): void {
		this.explorers.bitcoin.push({
			txid: transactionId(name),
			inputs: senders.map((address) => ({ address, value: 60_000_000 })),
			outputs: [{ address: pizza.to, value: 50_000_000 }],
		});
	}

	/** Pays 1.5 ETH. `changed` replaces fields of the transaction. The value is in wei. */
	payEther(name: string | number, from: string, changed: object = {}): void {
		this.explorers.ethereum.push({
			list: 'txlist',
			hash: `0x${transactionId(name)}`,
			from,
			to: firstEther.to,
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
		const { from, to } = trx;
		this.explorers.tron.push({ list: 'transactions', block_timestamp, from, to, entry });
	}

	/** Pays 2.5 of a token on Tron that calls itself USDT. `contract` is its address. */
	payTronToken(name: string, contract: string): void {
		const token_info = { symbol: 'USDT', decimals: 6, address: contract };
		const { from, to } = trx;
		const parties = { from, to, block_timestamp: Date.now() };
		const transaction_id = transactionId(name);
		const entry = { ...parties, transaction_id, type: 'Transfer', token_info, value: '2500000' };
		this.explorers.tron.push({ list: 'transactions/trc20', ...parties, entry });
	}
}

/** Removes all messages from Slack. @returns their texts */
export const takeMessages = () =>
	stage.slack.messages.splice(0).map((message) => JSON.stringify(message));
