import { createListener, serve } from './server';

/**
 * An output of a Bitcoin transaction, and what an input spends: in satoshi; without an address it
 * pays to a public key.
 */
interface Coin {
	address?: string;
	value: number;
}

/** A Bitcoin transaction; without inputs it mints new coins. */
interface BitcoinTransaction {
	txid: string;
	/** Unix seconds; now by default. */
	time?: number;
	inputs: Coin[];
	outputs: Coin[];
}

/** An entry of Etherscan's lists; `value` in the smallest unit. */
interface EthereumTransaction {
	list: string;
	hash: string;
	/** Unix seconds; now by default. */
	time?: number;
	from: string;
	to: string;
	value: string;
	isError?: boolean;
	token?: { address: string; symbol: string; decimals: number };
}

/**
 * An entry of TronGrid's lists, as it writes it, with who sent and received it in Base58Check, for
 * the filters.
 */
interface TronTransaction {
	list: string;
	block_timestamp: number;
	from: string;
	to: string;
	entry: { txID?: string } & Record<string, unknown>;
}

export interface ExplorerAnswer {
	status: number;
	/** A text is sent as it is, all else as JSON. */
	body: unknown;
	type?: string;
}

export const etherscanKey = 'etherscan-key-of-the-test';

const now = () => Math.floor(Date.now() / 1000);
const ok = (body: unknown): ExplorerAnswer => ({ status: 200, body });

/** Three block explorers, which answer as their documentation says. */
export interface Explorers {
	/** Where Esplora, Etherscan and TronGrid are. */
	readonly urls: Readonly<Record<'bitcoin' | 'ethereum' | 'tron', string>>;
	/** The transactions, the oldest first, as in the lists below. */
	bitcoin: BitcoinTransaction[];
	ethereum: EthereumTransaction[];
	tron: TronTransaction[];
	/** Entries that TronGrid and Esplora put on a page; Etherscan is asked for a number. */
	pageSizes: Record<'bitcoin' | 'tron', number>;
	/** Gives the answer to a request instead of the right one, if it gives one. */
	fault: ((url: URL) => ExplorerAnswer | 'reset' | undefined) | undefined;
	/** What was asked for, in order. */
	requests: URL[];
	/** Forgets transactions and faults. */
	clear(): void;
	close(): Promise<void>;
}

const empty = (): Pick<Explorers, 'bitcoin' | 'ethereum' | 'tron' | 'pageSizes' | 'fault'> => ({
	bitcoin: [],
	ethereum: [],
	tron: [],
	pageSizes: { bitcoin: 25, tron: 200 },
	fault: undefined,
});

/** Starts three block explorers without transactions. */
export async function startExplorers(): Promise<Explorers> {
	const listener = createListener((request, answer, text) => {
		const url = new URL(request.url ?? '', `http://${request.headers.host}`);
		explorers.requests.push(url);
		const given = explorers.fault?.(url) ?? answerTo(explorers, url, text);
		if (given === 'reset') return void request.socket.destroy();
		answer(given.status, given.body, given.type ? { 'content-type': given.type } : {});
	});
	const { url, close } = await serve(listener);
	const explorers: Explorers = {
		...empty(),
		urls: {
			bitcoin: `${url}/esplora`,
			ethereum: `${url}/etherscan`,
			tron: `${url}/trongrid`,
		},
		requests: [],
		clear: () => void Object.assign(explorers, empty()),
		close,
	};
	return explorers;
}

/** The answer of the explorer that a URL names. */
function answerTo(explorers: Explorers, url: URL, body: string): ExplorerAnswer {
	const { pathname } = url;
	if (pathname.startsWith('/esplora')) return answerAsEsplora(explorers, url);
	if (pathname.startsWith('/etherscan')) return answerAsEtherscan(explorers, url);
	if (pathname.endsWith('/wallet/gettransactionbyid'))
		return answerWithTronOwner(explorers, JSON.parse(body));
	return answerAsTronGrid(explorers, url);
}

/** https://github.com/Blockstream/esplora/blob/master/API.md */
function answerAsEsplora({ bitcoin, pageSizes }: Explorers, { pathname }: URL): ExplorerAnswer {
	const [, address, last] = /\/address\/(\w+)\/txs\/chain(?:\/(\w+))?$/.exec(pathname) ?? [];
	if (!address) return { status: 400, body: 'Invalid Bitcoin address', type: 'text/plain' };
	const history = bitcoin
		.filter(({ inputs, outputs }) =>
			[...inputs, ...outputs].some((coin) => coin.address === address),
		)
		.reverse();
	// Nothing comes after a transaction that is not in the history any more.
	const before = history.findIndex(({ txid }) => txid === last);
	const start = last === undefined ? 0 : before < 0 ? history.length : before + 1;
	return ok(history.slice(start, start + pageSizes.bitcoin).map(entryOfEsplora));
}

function entryOfEsplora({ txid, inputs, outputs, time = now() }: BitcoinTransaction) {
	const coinOf = ({ address: scriptpubkey_address, value }: Coin) => ({
		scriptpubkey_address,
		value,
	});
	const spent = inputs.map((input) => ({ prevout: coinOf(input), is_coinbase: false }));
	return {
		txid,
		vin: spent.length > 0 ? spent : [{ prevout: null, is_coinbase: true }],
		vout: outputs.map(coinOf),
		status: { confirmed: true, block_time: time },
	};
}

/** https://docs.etherscan.io/api-reference/endpoint/txlist */
function answerAsEtherscan({ ethereum }: Explorers, { searchParams: query }: URL): ExplorerAnswer {
	const address = query.get('address')?.toLowerCase() ?? '';
	const [page, offset] = ['page', 'offset'].map((name) => Number(query.get(name))) as [
		number,
		number,
	];
	const isAsked = query.get('apikey') === etherscanKey && query.get('chainid') === '1';
	if (!isAsked || !/^0x[0-9a-f]{40}$/.test(address) || page * offset > 10_000)
		return ok({ status: '0', message: 'NOTOK', result: 'Error! Invalid parameter' });
	const found = ethereum
		.filter((one) => one.list === query.get('action'))
		.filter(({ from, to }) => [from, to].some((party) => party.toLowerCase() === address));
	if (query.get('sort') === 'desc') found.reverse();
	const result = found
		.slice((page - 1) * offset, page * offset)
		.map(({ time = now(), token, isError, list: _, ...one }) => ({
			...one,
			timeStamp: String(time),
			contractAddress: token?.address ?? '',
			...(token && { tokenSymbol: token.symbol, tokenDecimal: String(token.decimals) }),
			...(!token && { isError: isError ? '1' : '0' }),
		}));
	if (result.length === 0) return ok({ status: '0', message: 'No transactions found', result });
	return ok({ status: '1', message: 'OK', result });
}

/** https://developers.tron.network/reference/wallet-gettransactionbyid */
function answerWithTronOwner(
	{ tron }: Explorers,
	{ value: id, visible }: { value?: string; visible?: boolean },
): ExplorerAnswer {
	const known = tron.find(({ entry }) => entry.txID === id);
	const owner_address = visible === true ? known?.from : 'in hexadecimal';
	const contract = [{ parameter: { value: { owner_address } }, type: 'TransferContract' }];
	return ok(known ? { txID: id, raw_data: { contract } } : {});
}

/** https://developers.tron.network/reference/get-transaction-info-by-account-address */
function answerAsTronGrid(
	{ tron, pageSizes }: Explorers,
	{ pathname, searchParams: query }: URL,
): ExplorerAnswer {
	const [, address, list] = /\/v1\/accounts\/(\w+)\/(.+)$/.exec(pathname) ?? [];
	if (!address || query.get('order_by') !== 'block_timestamp,asc')
		return { status: 400, body: { success: false, error: 'bad request', statusCode: 400 } };
	const all = tron
		.filter((one) => one.list === list)
		.filter(({ to, from }) => to === address || (!query.get('only_to') && from === address))
		.filter((one) => one.block_timestamp >= Number(query.get('min_timestamp')))
		.sort((one, other) => one.block_timestamp - other.block_timestamp);
	const start = Number(query.get('fingerprint'));
	const end = start + Math.min(Number(query.get('limit') ?? 20), pageSizes.tron);
	const data = all.slice(start, end).map(({ entry }) => entry);
	const meta = all.length > end ? { fingerprint: String(end) } : {};
	return ok({ data, success: true, meta });
}
