import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An output of a Bitcoin transaction, and what an input spends: in satoshi; without an address it pays to a public key. */
interface Coin {
	address?: string;
	value: number;
}

/** A Bitcoin transaction; without inputs it mints new coins. */
export interface BitcoinTransaction {
	txid: string;
	/** Undefined if no block holds it yet. */
	block?: number;
	inputs: Coin[];
	outputs: Coin[];
}

type EthereumList = 'txlist' | 'txlistinternal' | 'tokentx';

/** An entry of Etherscan's lists; `value` in the smallest unit. */
export interface EthereumTransaction {
	list: EthereumList;
	hash: string;
	block: number;
	from: string;
	to: string;
	value: string;
	isError?: boolean;
	token?: { address: string; symbol: string; decimals: number };
}

/** An entry of TronGrid's lists, as it writes it. */
export interface TronTransaction {
	list: 'transactions' | 'transactions/trc20';
	block_timestamp: number;
	/** Who sent and who received it, in Base58Check, for the filters. */
	from: string;
	to: string;
	isConfirmed?: boolean;
	entry: object;
}

export interface Answer {
	status: number;
	/** A text is sent as it is, all else as JSON. */
	body: unknown;
	type?: string;
}

/** Three block explorers with a few transactions, which answer as their documentation says. */
export class Explorers {
	bitcoin = { tip: 0, transactions: [] as BitcoinTransaction[] };
	ethereum = { tip: 0, transactions: [] as EthereumTransaction[] };
	tron = { transactions: [] as TronTransaction[] };
	/** Entries that TronGrid and Esplora put on a page; Etherscan is asked for a number. */
	pageSizes = { bitcoin: 25, ethereum: 1000, tron: 200 };
	/** The answer to a request instead of the right one. */
	fault: ((url: URL) => Answer | 'reset' | undefined) | undefined;
	/** What was asked for, in order. */
	readonly requests: URL[] = [];
	readonly etherscanKey = 'etherscan-key-of-the-test';

	answer(url: URL): Answer | 'reset' {
		this.requests.push(url);
		const fault = this.fault?.(url);
		if (fault) return fault;
		if (url.pathname.startsWith('/esplora/')) return this.esplora(url.pathname.slice(8));
		if (url.pathname === '/etherscan') return this.etherscan(url.searchParams);
		if (url.pathname.startsWith('/trongrid/')) return this.tronGrid(url);
		return { status: 404, body: 'Not Found', type: 'text/plain' };
	}

	/** https://github.com/Blockstream/esplora/blob/master/API.md */
	private esplora(path: string): Answer {
		const text = (status: number, body: string) => ({ status, body, type: 'text/plain' });
		if (path === '/blocks/tip/height') return text(200, String(this.bitcoin.tip));
		const [, address, list, last] =
			/^\/address\/(\w+)(\/txs\/chain(?:\/(\w+))?)?$/.exec(path) ?? [];
		if (!address) return text(400, 'Invalid Bitcoin address');
		const history = this.bitcoin.transactions
			.filter(({ block }) => block !== undefined && block <= this.bitcoin.tip)
			.filter(({ inputs, outputs }) =>
				[...inputs, ...outputs].some((coin) => coin.address === address),
			)
			.reverse()
			.sort((one, other) => other.block! - one.block!);
		if (!list) {
			const chain_stats = { tx_count: history.length, funded_txo_count: 0, spent_txo_count: 0 };
			return { status: 200, body: { address, chain_stats, mempool_stats: { tx_count: 0 } } };
		}
		// Nothing comes after a transaction that is not in the history any more.
		const before = history.findIndex(({ txid }) => txid === last);
		const start = last === undefined ? 0 : before < 0 ? history.length : before + 1;
		const page = history.slice(start, start + this.pageSizes.bitcoin);
		return { status: 200, body: page.map(esploraTransaction) };
	}

	/** https://docs.etherscan.io/api-reference/endpoint/txlist */
	private etherscan(query: URLSearchParams): Answer {
		const answer = (status: string, message: string, result: unknown): Answer => ({
			status: 200,
			body: { status, message, result },
		});
		const refused = (result: string) => answer('0', 'NOTOK', result);
		if (query.get('apikey') !== this.etherscanKey) return refused('Invalid API Key');
		if (query.get('chainid') !== '1') return refused('Missing or unsupported chainid parameter');
		if (query.get('action') === 'eth_blockNumber') {
			const body = { jsonrpc: '2.0', id: 83, result: `0x${this.ethereum.tip.toString(16)}` };
			return { status: 200, body };
		}
		const numbers = ['startblock', 'endblock', 'page', 'offset'].map((name) =>
			Number(query.get(name) ?? NaN),
		);
		const [first, end, page, offset] = numbers as [number, number, number, number];
		const address = query.get('address')?.toLowerCase();
		if (!/^0x[0-9a-f]{40}$/.test(address ?? '')) return refused('Error! Invalid address format');
		if (numbers.some((number) => !(number >= 0))) return refused('Error! Invalid parameter');
		if (page * offset > 10_000) {
			return refused(
				'Result window is too large, PageNo x Offset size must be less than or equal to 10000',
			);
		}
		const size = Math.min(offset, this.pageSizes.ethereum);
		const list = this.ethereum.transactions
			.filter((one) => one.list === query.get('action'))
			.filter(({ block }) => block >= first && block <= Math.min(end, this.ethereum.tip))
			.filter(({ from, to }) => [from, to].some((party) => party.toLowerCase() === address))
			.sort((one, other) => one.block - other.block)
			.slice((page - 1) * size, page * size);
		if (list.length === 0) return answer('0', 'No transactions found', []);
		return answer(
			'1',
			'OK',
			list.map((one) => etherscanEntry(one, this.ethereum.tip)),
		);
	}

	/** https://developers.tron.network/reference/get-transaction-info-by-account-address */
	private tronGrid(url: URL): Answer {
		const [, address, list] = /\/v1\/accounts\/(\w+)\/(.+)$/.exec(url.pathname) ?? [];
		const query = url.searchParams;
		if (!address || query.get('order_by') !== 'block_timestamp,asc') {
			return { status: 400, body: { success: false, error: 'bad request', statusCode: 400 } };
		}
		const all = this.tron.transactions
			.filter((one) => one.list === list)
			.filter(({ to, from }) => to === address || (!query.get('only_to') && from === address))
			.filter(({ isConfirmed = true }) => isConfirmed || query.get('only_confirmed') !== 'true')
			.filter((one) => one.block_timestamp >= Number(query.get('min_timestamp') ?? 0))
			.sort((one, other) => one.block_timestamp - other.block_timestamp);
		const start = Number(query.get('fingerprint') || 0);
		const size = Math.min(Number(query.get('limit') ?? 20), this.pageSizes.tron);
		const data = all.slice(start, start + size);
		const rest = all.length > start + size ? { fingerprint: String(start + size) } : {};
		const meta = { at: Date.now(), page_size: data.length, ...rest };
		return { status: 200, body: { data: data.map(({ entry }) => entry), success: true, meta } };
	}
}

function esploraCoin({ address, value }: Coin) {
	return {
		scriptpubkey: '',
		scriptpubkey_asm: '',
		scriptpubkey_type: address ? 'p2pkh' : 'p2pk',
		...(address && { scriptpubkey_address: address }),
		value,
	};
}

function esploraTransaction({ txid, block, inputs, outputs }: BitcoinTransaction) {
	const input = { txid: '0'.repeat(64), vout: 0, scriptsig: '', scriptsig_asm: '', sequence: 0 };
	const minting = { ...input, vout: 0xffffffff, prevout: null, is_coinbase: true };
	return {
		txid,
		version: 1,
		locktime: 0,
		vin: inputs.length
			? inputs.map((coin) => ({ ...input, prevout: esploraCoin(coin), is_coinbase: false }))
			: [minting],
		vout: outputs.map(esploraCoin),
		size: 0,
		weight: 0,
		fee: 0,
		status: { confirmed: true, block_height: block, block_hash: '', block_time: 0 },
	};
}

function etherscanEntry(one: EthereumTransaction, tip: number) {
	const { list, hash, block, from, to, value, isError, token } = one;
	return {
		blockNumber: String(block),
		timeStamp: '1438918233',
		hash,
		from,
		to,
		value,
		...(token
			? {
					contractAddress: token.address,
					tokenName: token.symbol,
					tokenSymbol: token.symbol,
					tokenDecimal: String(token.decimals),
				}
			: { contractAddress: '', isError: isError ? '1' : '0' }),
		...(list === 'txlistinternal'
			? { type: 'call', traceId: '0', errCode: '' }
			: { nonce: '0', confirmations: String(tip - block + 1) }),
	};
}

/** The explorers as servers on the loopback interface. */
export async function startExplorers() {
	const explorers = new Explorers();
	const server = createServer((request, response) => {
		const answer = explorers.answer(new URL(request.url ?? '', `http://${request.headers.host}`));
		if (answer === 'reset') return void request.socket.destroy();
		const { status, body, type = 'application/json' } = answer;
		response.writeHead(status, { 'content-type': type });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		explorers,
		esplora: `${url}/esplora`,
		etherscan: `${url}/etherscan`,
		tronGrid: `${url}/trongrid`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
