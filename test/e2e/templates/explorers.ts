import { answering, serve } from '../../support/server';

/** An output of a Bitcoin transaction, and what an input spends: in satoshi; without an address it pays to a public key. */
interface Coin {
	address?: string;
	value: number;
}

/** A Bitcoin transaction; without inputs it mints new coins. */
export interface BitcoinTransaction {
	txid: string;
	/** Unix seconds; now by default. */
	time?: number;
	inputs: Coin[];
	outputs: Coin[];
}

type EthereumList = 'txlist' | 'txlistinternal' | 'tokentx';

/** An entry of Etherscan's lists; `value` in the smallest unit. */
export interface EthereumTransaction {
	list: EthereumList;
	hash: string;
	/** Unix seconds; now by default. */
	time?: number;
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
	entry: object;
}

export interface Answer {
	status: number;
	/** A text is sent as it is, all else as JSON. */
	body: unknown;
	type?: string;
}

export const etherscanKey = 'etherscan-key-of-the-test';

/** Three block explorers with a few transactions, which answer as their documentation says. */
export class Explorers {
	/** Each list has the oldest transaction first. */
	bitcoin: BitcoinTransaction[] = [];
	ethereum: EthereumTransaction[] = [];
	tron: TronTransaction[] = [];
	/** Entries that TronGrid and Esplora put on a page; Etherscan is asked for a number. */
	pageSizes = { bitcoin: 25, tron: 200 };
	/** The answer to a request instead of the right one. */
	fault: ((url: URL) => Answer | 'reset' | undefined) | undefined;
	/** What was asked for, in order. */
	readonly requests: URL[] = [];

	/** @param body of a request to TronGrid */
	answer(url: URL, body: { value?: string; visible?: boolean }): Answer | 'reset' {
		this.requests.push(url);
		const fault = this.fault?.(url);
		if (fault) return fault;
		if (url.pathname.startsWith('/esplora/')) return this.esplora(url.pathname.slice(8));
		if (url.pathname === '/etherscan') return this.etherscan(url.searchParams);
		if (url.pathname === '/trongrid/wallet/gettransactionbyid') return this.ownerOf(body);
		if (url.pathname.startsWith('/trongrid/')) return this.tronGrid(url);
		return { status: 404, body: 'Not Found', type: 'text/plain' };
	}

	/** https://github.com/Blockstream/esplora/blob/master/API.md */
	private esplora(path: string): Answer {
		const [, address, last] = /^\/address\/(\w+)\/txs\/chain(?:\/(\w+))?$/.exec(path) ?? [];
		if (!address) return { status: 400, body: 'Invalid Bitcoin address', type: 'text/plain' };
		const history = this.bitcoin
			.filter(({ inputs, outputs }) =>
				[...inputs, ...outputs].some((coin) => coin.address === address),
			)
			.reverse();
		// Nothing comes after a transaction that is not in the history any more.
		const before = history.findIndex(({ txid }) => txid === last);
		const start = last === undefined ? 0 : before < 0 ? history.length : before + 1;
		const page = history.slice(start, start + this.pageSizes.bitcoin);
		return { status: 200, body: page.map(esploraTransaction) };
	}

	/** https://docs.etherscan.io/api-reference/endpoint/txlist */
	private etherscan(query: URLSearchParams): Answer {
		const answer = (status: string, message: string, result: unknown): Answer => ({
			...{ status: 200, body: { status, message, result } },
		});
		const refused = (result: string) => answer('0', 'NOTOK', result);
		if (query.get('apikey') !== etherscanKey) return refused('Invalid API Key');
		if (query.get('chainid') !== '1') return refused('Missing or unsupported chainid parameter');
		const numbers = ['page', 'offset'].map((name) => Number(query.get(name) ?? NaN));
		const [page, offset] = numbers as [number, number];
		const address = query.get('address')?.toLowerCase();
		if (!/^0x[0-9a-f]{40}$/.test(address ?? '')) return refused('Error! Invalid address format');
		if (numbers.some((number) => !(number >= 0))) return refused('Error! Invalid parameter');
		if (page * offset > 10_000) return refused('Result window is too large');
		const found = this.ethereum
			.filter((one) => one.list === query.get('action'))
			.filter(({ from, to }) => [from, to].some((party) => party.toLowerCase() === address));
		if (query.get('sort') === 'desc') found.reverse();
		const list = found.slice((page - 1) * offset, page * offset);
		if (list.length === 0) return answer('0', 'No transactions found', []);
		return answer('1', 'OK', list.map(etherscanEntry));
	}

	/** https://developers.tron.network/reference/wallet-gettransactionbyid */
	private ownerOf({ value: id, visible }: { value?: string; visible?: boolean }): Answer {
		const known = this.tron.find(({ entry }) => (entry as { txID?: string }).txID === id);
		if (!known) return { status: 200, body: {} };
		const owner_address = visible === true ? known.from : 'in hexadecimal';
		const contract = [{ parameter: { value: { owner_address } }, type: 'TransferContract' }];
		return { status: 200, body: { txID: id, raw_data: { contract } } };
	}

	/** https://developers.tron.network/reference/get-transaction-info-by-account-address */
	private tronGrid(url: URL): Answer {
		const [, address, list] = /\/v1\/accounts\/(\w+)\/(.+)$/.exec(url.pathname) ?? [];
		const query = url.searchParams;
		if (!address || query.get('order_by') !== 'block_timestamp,asc') {
			return { status: 400, body: { success: false, error: 'bad request', statusCode: 400 } };
		}
		const all = this.tron
			.filter((one) => one.list === list)
			.filter(({ to, from }) => to === address || (!query.get('only_to') && from === address))
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

const now = () => Math.floor(Date.now() / 1000);

const esploraCoin = ({ address, value }: Coin) => ({
	...{ scriptpubkey: '', scriptpubkey_asm: '', scriptpubkey_type: address ? 'p2pkh' : 'p2pk' },
	...{ ...(address && { scriptpubkey_address: address }), value },
});

function esploraTransaction({ txid, time = now(), inputs, outputs }: BitcoinTransaction) {
	const input = { txid: '0'.repeat(64), vout: 0, scriptsig: '', scriptsig_asm: '', sequence: 0 };
	const spending = inputs.map((coin) => ({
		...{ ...input, prevout: esploraCoin(coin), is_coinbase: false },
	}));
	const minting = { ...input, vout: 0xffffffff, prevout: null, is_coinbase: true };
	return {
		...{ txid, version: 1, locktime: 0, size: 0, weight: 0, fee: 0 },
		...{ vin: inputs.length ? spending : [minting], vout: outputs.map(esploraCoin) },
		status: { confirmed: true, block_height: 0, block_hash: '', block_time: time },
	};
}

function etherscanEntry({ list, token, time = now(), isError, ...one }: EthereumTransaction) {
	const { address = '', symbol: tokenSymbol, decimals } = token ?? {};
	const ofToken = { tokenName: tokenSymbol, tokenSymbol, tokenDecimal: String(decimals) };
	return {
		...{ blockNumber: '1', timeStamp: String(time), ...one, contractAddress: address },
		...(token ? ofToken : { isError: isError ? '1' : '0' }),
		...(list === 'txlistinternal'
			? { type: 'call', traceId: '0', errCode: '' }
			: { nonce: '0', confirmations: '3' }),
	};
}

/** The explorers as servers on the loopback interface. */
export async function startExplorers() {
	const explorers = new Explorers();
	const listener = answering((request, answer, text) => {
		const url = new URL(request.url ?? '', `http://${request.headers.host}`);
		const given = explorers.answer(url, JSON.parse(text || '{}') as object);
		if (given === 'reset') return void request.socket.destroy();
		answer(given.status, given.body, given.type ? { 'content-type': given.type } : {});
	});
	const { url, close } = await serve(listener);
	return {
		...{ explorers, close, esplora: `${url}/esplora`, etherscan: `${url}/etherscan` },
		tronGrid: `${url}/trongrid`,
	};
}
