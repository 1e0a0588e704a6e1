import type { IDataObject } from 'n8n-workflow';

/** "On Error" as the user sets it for one item to fail by itself. */
export const CONTINUE = 'continueRegularOutput';

/** An input item for each address. */
export const itemsFor = (addresses: unknown[]) =>
	addresses.map((address) => ({ address }) as IDataObject);
