import { DateTime } from 'luxon';
import type { Workflow } from '../../host/instance';
import type { Answer } from './explorers';

type Json = Record<string, any>;

/** An item, and the items that it was made of, by the node that made them. */
interface Item {
	json: Json;
	pairedItem: { item: number };
	origin: ReadonlyMap<string, Item>;
}

type Node = Workflow['nodes'][number] & { parameters: any };

/** What the nodes of a workflow do to the world outside of it. */
export interface World {
	/** The rows of the data tables, by name. */
	tables: Record<string, Json[]>;
	request(url: URL): Answer | 'reset';
	/** A report with a decision and evidence; throws what the error output says. */
	screen(address: string, chain: string): Json;
	digest(items: Json[], title: string): Json;
	/** Posts a message; throws if Slack is down. */
	slack(message: Json): void;
	/** Before each node, and before each row that is written; throws if n8n is killed then. */
	step(): void;
	now(): number;
}

/* n8n's extensions of objects that the templates use. */
const extensions = {
	removeField: function (this: Json, name: string) {
		const { [name]: _, ...rest } = this;
		return rest;
	},
	toJsonString: function (this: Json) {
		return JSON.stringify(this);
	},
};
for (const [name, value] of Object.entries(extensions)) {
	Object.defineProperty(Object.prototype, name, { value });
}

const functions = new Map<string, (...values: unknown[]) => unknown>();

function compiled(names: string[], body: string) {
	const key = `${names.join()} ${body}`;
	const known = functions.get(key) ?? (new Function(...names, body) as () => unknown);
	functions.set(key, known);
	return known;
}

/**
 * Runs a workflow from a trigger in process, in the order of n8n (`executionOrder` v1): each branch to its end, upper ones
 * first. It knows only the nodes, and of them only the parameters, that `watch-an-address` uses.
 */
export function runWorkflow({ nodes, connections }: Workflow, trigger: string, world: World): void {
	const nodeOf = (name: string) => nodes.find((node) => node.name === name) as Node;
	/** What each node put out in its last run. */
	const outputs = new Map<string, Item[][]>();
	const loops = new Map<string, Item[]>();

	const valueOf = (text: string, item: Item, scope: Json = {}): any => {
		if (typeof text !== 'string' || !text.startsWith('=')) return text;
		const parts = text
			.slice(1)
			.split(/(\{\{.*?\}\}(?!\}))/s)
			.filter((part) => part !== '');
		const values = parts.map((part) =>
			part.startsWith('{{') ? evaluate(part.slice(2, -2), item, scope) : part,
		);
		return values.length === 1 ? values[0] : values.map((value) => value ?? '').join('');
	};
	const evaluate = (expression: string, item: Item, scope: Json): unknown => {
		const all: Json = { $json: item.json, $: reference(item), $now: now(), ...scope };
		try {
			return compiled(Object.keys(all), `return (${expression})`)(...Object.values(all));
		} catch (error) {
			// So does n8n.
			if (error instanceof TypeError) return null;
			throw error;
		}
	};
	const now = () => DateTime.fromMillis(world.now(), { zone: 'utc' });
	const reference = (item?: Item) => (name: string) => {
		const all = () => {
			const found = outputs.get(name)?.find((list) => list.length > 0);
			if (!found) throw new Error(`Node "${name}" has no output`);
			return found;
		};
		return {
			first: () => all()[0],
			all,
			get item() {
				return item?.origin.get(name);
			},
		};
	};
	const resolved = (value: any, item: Item): any => {
		if (Array.isArray(value)) return value.map((one) => resolved(one, item));
		if (value === null || typeof value !== 'object') return valueOf(value, item);
		const entries = Object.entries(value).map(([key, one]) => [key, resolved(one, item)]);
		return Object.fromEntries(entries);
	};

	const table = (node: Node, item: Item, index: number): Json[] => {
		const { operation, dataTableId, filters, columns, limit, orderByColumn } = node.parameters;
		const rows = (world.tables[dataTableId.value] ??= []);
		const conditions = resolved(filters?.conditions ?? [], item);
		const found = rows.filter((row) =>
			conditions.every(({ keyName, condition, keyValue }: Json) => {
				if (condition === 'isEmpty') return (row[keyName] ?? null) === null;
				if (condition === 'lte') return row[keyName] !== null && row[keyName] <= keyValue;
				if (condition === 'eq') return row[keyName] === keyValue;
				throw new Error(`Unknown condition ${condition}`);
			}),
		);
		if (operation === 'get') {
			const sorted = orderByColumn
				? found.toSorted((one, other) => one[orderByColumn] - other[orderByColumn])
				: found;
			return sorted.slice(0, limit).map((row) => ({ ...row }));
		}
		if (operation === 'rowNotExists') return found.length === 0 ? [item.json] : [];
		world.step();
		const updatedAt = world.now() + index / 1e6;
		const value = { ...resolved(columns.value, item), updatedAt };
		if (operation === 'update') {
			for (const row of found) Object.assign(row, value);
			return found.map((row) => ({ ...row }));
		}
		if (operation !== 'insert') throw new Error(`Unknown operation ${operation}`);
		const empty = Object.fromEntries(columns.schema.map(({ id }: Json) => [id, null]));
		const row = { ...empty, ...value, id: rows.length + 1 };
		rows.push(row);
		return [{ ...row }];
	};

	const pagesOf = (node: Node, item: Item): Json[] => {
		const { url, queryParameters, options, genericAuthType } = node.parameters;
		const { fullResponse, responseFormat } = options.response.response;
		const pagination = options.pagination?.pagination;
		const pages: Json[] = [];
		let scope: Json = { $pageCount: 0, $response: {} };
		for (;;) {
			const next = pagination?.nextURL ?? url;
			const target = new URL(valueOf(next, item, scope));
			const query = [
				...(queryParameters?.parameters ?? []),
				...(pagination?.parameters?.parameters ?? []),
			];
			for (const { name, value } of query) {
				const given = valueOf(value, item, scope);
				if (given !== undefined && given !== null) target.searchParams.set(name, String(given));
			}
			if (genericAuthType) target.searchParams.set('apikey', 'the key');
			const answer = world.request(target);
			if (answer === 'reset') throw Object.assign(new Error('socket hang up'));
			const { status: statusCode } = answer;
			const parsed = JSON.parse(JSON.stringify(answer.body)) as unknown;
			scope = { $pageCount: scope.$pageCount + 1, $response: { statusCode, body: parsed } };
			if (!pagination && statusCode >= 300)
				throw Object.assign(new Error('refused'), { status: statusCode });
			if (responseFormat === 'json' && typeof parsed === 'string')
				throw new Error('Response body is not valid JSON');
			if (!fullResponse) return [responseFormat === 'text' ? { data: parsed } : (parsed as Json)];
			pages.push({ statusCode, body: parsed });
			if (scope.$pageCount >= pagination.maxRequests) return pages;
			const complete = pagination.completeExpression.slice(3, -2);
			const goesOn = evaluate(
				`!(${complete}) || ($response.statusCode < 200 || $response.statusCode >= 300)`,
				item,
				scope,
			);
			if (!goesOn) return pages;
			if (statusCode >= 300) throw Object.assign(new Error('refused'), { status: statusCode });
		}
	};

	/** What an item becomes, in each output. */
	const workOn = (node: Node, items: Item[]): Json[][][] => {
		const { parameters, name, type } = node;
		const eachItem = (work: (item: Item, index: number) => Json[]) =>
			items.map((item, index) => [work(item, index)]);
		switch (type.split('.')[1]) {
			case 'scheduleTrigger':
				return [[[{}]]];
			case 'dataTable':
				return eachItem((item, index) => table(node, item, index));
			case 'set':
				return eachItem((item) => {
					if (parameters.mode === 'raw') return [JSON.parse(valueOf(parameters.jsonOutput, item))];
					const fields = parameters.assignments.assignments;
					return [
						Object.fromEntries(fields.map((one: Json) => [one.name, valueOf(one.value, item)])),
					];
				});
			case 'httpRequest':
				return eachItem((item) => {
					try {
						return pagesOf(node, item);
					} catch (error) {
						const { message, status } = error as Error & { status?: number };
						return [{ error: { message, status } }];
					}
				});
			case 'splitOut':
				return eachItem(({ json }) => {
					const { [parameters.fieldToSplitOut]: list, ...others } = json;
					const isObject = (one: unknown) => typeof one === 'object';
					return list.map((one: any) =>
						isObject(one) ? one : { ...others, [parameters.fieldToSplitOut]: one },
					);
				});
			case 'switch':
				return items.map((item) => {
					const values = parameters.rules.values.map((one: Json) => one.outputKey);
					const found = values.indexOf(item.json.network?.toLowerCase());
					const chosen = found < 0 ? values.length : found;
					return Array.from({ length: values.length + 1 }, (_, index) =>
						index === chosen ? [item.json] : [],
					);
				});
			case 'slack':
				return eachItem((item) => {
					world.slack(resolved(parameters, item));
					return [{ ok: true }];
				});
			case 'walletScreening':
				if (parameters.resource === 'alert') {
					return [
						[
							[
								world.digest(
									items.map(({ json }) => json),
									parameters.title,
								),
							],
						],
					];
				}
				return items.map((item) => {
					try {
						return [
							[world.screen(valueOf(parameters.address, item), valueOf(parameters.chain, item))],
							[],
						];
					} catch (error) {
						return [[], [{ ...item.json, error: (error as Error).message }]];
					}
				});
			default:
				throw new Error(`${name}: unknown node ${type}`);
		}
	};

	const outputsOf = (node: Node, items: Item[]): Item[][] => {
		const { name, type, parameters } = node;
		if (type.endsWith('.code')) {
			const $input = { all: () => items };
			const code = compiled(['$', '$input', 'Buffer'], parameters.jsCode);
			try {
				const made = code(reference(), $input, Buffer) as Array<{ json: Json }>;
				return [made.map(({ json }) => itemFrom(json, 0, items[0]!))];
			} catch (error) {
				const json = { error: `${(error as Error).message} [line 1]` };
				return [[], [itemFrom(json, 0, items[0]!)]];
			}
		}
		if (type.endsWith('.splitInBatches')) {
			const rest = loops.get(name) ?? [...items];
			const [next] = rest.splice(0, 1);
			loops.set(name, rest);
			return next ? [[], [next]] : [items, []];
		}
		const made = workOn(node, items);
		return (made[0] ?? [[]]).map((_, output) =>
			made.flatMap((lists, index) =>
				lists[output]!.map((json) => itemFrom(json, index, items[index]!)),
			),
		);
	};
	const itemFrom = (json: Json, item: number, source: Item): Item => ({
		json,
		pairedItem: { item },
		origin: source.origin,
	});

	const run = (name: string, items: Item[]): void => {
		const node = nodeOf(name);
		world.step();
		const made = outputsOf(node, items).map((list) =>
			list.map((item) => {
				const named: Item = { ...item, origin: new Map(item.origin) };
				(named.origin as Map<string, Item>).set(name, named);
				return named;
			}),
		);
		outputs.set(name, made);
		made.forEach((list, output) => {
			if (list.length === 0) return;
			const targets = (connections[name]?.main?.[output] ?? [])
				.map((to) => nodeOf(to.node))
				.sort((one, other) => one.position[1] - other.position[1]);
			for (const target of targets) run(target.name, list);
		});
	};
	run(trigger, [{ json: {}, pairedItem: { item: 0 }, origin: new Map() }]);
}
