import { createListener, serve } from './server';

/** An output of a Bitcoin transaction, or what an input spends. */
interface Coin {
	/** The address; absent if the output pays to a public key. */
	address?: string;
	/** The value in satoshi. */
	value: number;
}

/** A Bitcoin transaction. Without inputs, it mints new coins. */
interface BitcoinTransaction {
	txid: string;
	/** The time in seconds of Unix time; by default, the present time. */
	time?: number;
	inputs: Coin[];
	outputs: Coin[];
}

/** An entry of one of Etherscan's lists. */
interface EthereumTransaction {
	/** The name of the list. */
	list: string;
	hash: string;
	/** The time in seconds of Unix time; by default, the present time. */
	time?: number;
	from: string;
	to: string;
	/** The value in the smallest unit of the coin or token. */
	value: string;
	isError?: boolean;
	token?: { address: string; symbol: string; decimals: number };
}

/** An entry of one of TronGrid's lists. */
interface TronTransaction {
	/** The name of the list. */
	list: string;
	/** The time in milliseconds of Unix time. */
	block_timestamp: number;
	/** The sender and the recipient in Base58Check, for the filters of a request. */
	from: string;
	to: string;
	/** The entry as TronGrid writes it. */
	entry: { txID?: string } & Record<string, unknown>;
}

export interface ExplorerAnswer {
	status: number;
	/** A text is sent as it is, all else as JSON. */
	body: unknown;
	type?: string;
}

export const etherscanKey = 'etherscan-key-of-the-test';

/** Etherscan gives only the first entries of a list. */
const maxEtherscanEntries = 10_000;

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const ok = (body: unknown): ExplorerAnswer => ({ status: 200, body });

/** Stand-ins for three block explorers, which answer as their documentation describes. */
export interface Explorers {
	/** The addresses of Esplora, Etherscan and TronGrid. */
	readonly urls: Readonly<Record<'bitcoin' | 'ethereum' | 'tron', string>>;
	/** The transactions in each list, the oldest first. */
	bitcoin: BitcoinTransaction[];
	ethereum: EthereumTransaction[];
	tron: TronTransaction[];
	/** The most entries on a page. Etherscan gives as many as a request asks for. */
	maxPageSizes: Record<'bitcoin' | 'tron', number>;
	/** Returns a wrong answer to a request; `undefined` if the explorer is to give the right one. */
	fault: ((url: URL) => ExplorerAnswer | 'reset' | undefined) | undefined;
	/** The requests in order. */
	requests: URL[];
	/** Removes all transactions and faults. The list of requests stays. */
	clear(): void;
	close(): Promise<void>;
}

/** Returns what the explorers have before the first transaction or fault. */
const untouched = (): Pick<
	Explorers,
	'bitcoin' | 'ethereum' | 'tron' | 'maxPageSizes' | 'fault'
> => ({
	bitcoin: [],
	ethereum: [],
	tron: [],
	maxPageSizes: { bitcoin: 25, tron: 200 },
	fault: undefined,
});

/** Starts three block explorers without transactions. */
export async function startExplorers(): Promise<Explorers> {
	const listener = createListener((request, answer, text) => {
		const url = new URL(request.url ?? '', `http://${request.headers.host}`);
		explorers.requests.push(url);
		const reply = explorers.fault?.(url) ?? answerTo(explorers, url, text);
		if (reply === 'reset') return void request.socket.destroy();
		answer(reply.status, reply.body, reply.type ? { 'content-type': reply.type } : {});
	});
	const { url, close } = await serve(listener);
	const explorers: Explorers = {
		...untouched(),
		urls: {
			bitcoin: `${url}/esplora`,
			ethereum: `${url}/etherscan`,
			tron: `${url}/trongrid`,
		},
		requests: [],
		clear: () => void Object.assign(explorers, untouched()),
		close,
	};
	return explorers;
}

/** Answers as the explorer that the URL names. */
function answerTo(explorers: Explorers, url: URL, body: string): ExplorerAnswer {
	const { pathname } = url;
	if (pathname.startsWith('/esplora')) return answerAsEsplora(explorers, url);
	if (pathname.startsWith('/etherscan')) return answerAsEtherscan(explorers, url);
	if (pathname.endsWith('/wallet/gettransactionbyid'))
		return answerTronTransaction(explorers, JSON.parse(body));
	return answerAsTronGrid(explorers, url);
}

/** https://github.com/Blockstream/esplora/blob/master/API.md */
function answerAsEsplora({ bitcoin, maxPageSizes }: Explorers, { pathname }: URL): ExplorerAnswer {
	const [, address, last] = /\/address\/(\w+)\/txs\/chain(?:\/(\w+))?$/.exec(pathname) ?? [];
	if (!address) return { status: 400, body: 'Invalid Bitcoin address', type: 'text/plain' };
	const history = bitcoin
		.filter(({ inputs, outputs }) =>
			[...inputs, ...outputs].some((coin) => coin.address === address),
		)
		.reverse();
	// Nothing follows a transaction that is not in the history any more.
	const place = history.findIndex(({ txid }) => txid === last);
	const next = place < 0 ? history.length : place + 1;
	const start = last === undefined ? 0 : next;
	return ok(history.slice(start, start + maxPageSizes.bitcoin).map(entryOfEsplora));
}

function entryOfEsplora({ txid, inputs, outputs, time = nowInSeconds() }: BitcoinTransaction) {
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
	const page = Number(query.get('page'));
	const offset = Number(query.get('offset'));
	const isAllowed = query.get('apikey') === etherscanKey && query.get('chainid') === '1';
	if (!isAllowed || !/^0x[0-9a-f]{40}$/.test(address) || page * offset > maxEtherscanEntries)
		return ok({ status: '0', message: 'NOTOK', result: 'Error! Invalid parameter' });
	const found = ethereum
		.filter((one) => one.list === query.get('action'))
		.filter(({ from, to }) => [from, to].some((party) => party.toLowerCase() === address));
	if (query.get('sort') === 'desc') found.reverse();
	const result = found
		.slice((page - 1) * offset, page * offset)
		.map(({ time = nowInSeconds(), token, isError, list: _, ...one }) => ({
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
function answerTronTransaction(
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
	{ tron, maxPageSizes }: Explorers,
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
	const end = start + Math.min(Number(query.get('limit') ?? 20), maxPageSizes.tron);
	const data = all.slice(start, end).map(({ entry }) => entry);
	const meta = all.length > end ? { fingerprint: String(end) } : {};
	return ok({ data, success: true, meta });
}
