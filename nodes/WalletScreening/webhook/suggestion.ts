import { invalidInput, type ScreeningError } from '../shared/errors';
import { equalsIgnoringCase, toLogText } from '../shared/text';
import { type Candidate, listCandidates } from './candidates';
import { defaultSignatureSettings, resolveScheme, type SignatureSettings } from './scheme';
import { labelOf, schemeWords } from './verificationSettings';
import { type SignatureInput, verifySignature } from './signature';

/*
 * Which settings a refused delivery would fit, for the person who sets up the node.
 */

/**
 * Anyone can send a delivery that the node then looks into, and its body is hashed for each candidate
 * and each key of the secrets. So a larger one is not looked into.
 */
const maxBodyBytes = 2 ** 19;

/** Whether the delivery is small enough to look for settings that it fits. */
export const isSearchable = ({ body }: SignatureInput) => body.length <= maxBodyBytes;

/**
 * Finds the settings that a delivery fits at any time; undefined if it fits none, or is too large
 * to look for any.
 */
export function findFittingSettings(
	input: SignatureInput,
	current: SignatureSettings,
): Candidate | undefined {
	if (!isSearchable(input)) return undefined;
	return listCandidates(input, current).find((candidate) => {
		const scheme = resolveScheme({ ...current, ...candidate }, input.headers);
		const verdict = verifySignature(input, scheme);
		return verdict === 'accepted' || verdict === 'stale';
	});
}

/**
 * Creates the error that names the settings which a delivery fits while those of the node refuse
 * it; undefined if it fits none.
 */
export function createSuggestionError(
	input: SignatureInput,
	current: SignatureSettings,
): ScreeningError | undefined {
	const found = findFittingSettings(input, current);
	if (!found) return undefined;
	const suggestion = makePrintable(found);
	const changes = findChanges(suggestion, current);
	const advice = changes.map(
		({ label, value }) => `'${label}' to ${value === '' ? 'an empty text' : `'${value}'`}`,
	);
	return invalidInput(
		changes[0]?.label ?? '',
		'The delivery is signed with the webhook secret, but the settings of this node do not match it',
		`Set ${advice.join(', ')}.`,
		{ suggestion },
	);
}

/** Makes the names of the headers printable, because the sender wrote them. */
function makePrintable(candidate: Candidate): Candidate {
	const { signatureHeader, timestampHeader, idHeader } = candidate;
	return {
		...candidate,
		signatureHeader: toLogText(signatureHeader),
		...(timestampHeader !== undefined && { timestampHeader: toLogText(timestampHeader) }),
		...(idHeader !== undefined && { idHeader: toLogText(idHeader) }),
	};
}

/** A field of the node by its label in the editor, and the value that it should have. */
interface SettingChange {
	label: string;
	value: string;
}

const settingNames = Object.keys(defaultSignatureSettings) as Array<keyof SignatureSettings>;

/** Finds the fields of the node that differ from the suggestion. */
function findChanges(suggestion: Candidate, current: SignatureSettings): SettingChange[] {
	const { signedContent, signatureHeader, ...others } = suggestion;
	// Standard Webhooks names its headers itself.
	const needsHeader = signedContent !== 'standardWebhooks';
	const needed = { signedContent, ...(needsHeader && { signatureHeader }), ...others };
	return settingNames.flatMap((name) => {
		const value: string | undefined = needed[name];
		if (value === undefined || isSameSetting(name, value, current[name])) return [];
		const shown = name === 'signedContent' ? schemeWords[signedContent].name : value;
		return [{ label: labelOf(name), value: shown }];
	});
}

/** The names of headers have no case. */
function isSameSetting(name: keyof SignatureSettings, one: string, other: string): boolean {
	const isHeaderName = name.endsWith('Header');
	return isHeaderName ? equalsIgnoringCase(one, other) : one === other;
}
