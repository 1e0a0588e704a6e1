import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	NodeHelpers,
} from 'n8n-workflow';

/** A credential as a user saved it. */
export interface StoredCredential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** Credentials by name, kept in memory; types are authenticated as n8n does it, by their own code. */
export class StoredCredentials extends ICredentialsHelper {
	constructor(
		private readonly stored: Record<string, StoredCredential>,
		private readonly types: Record<string, ICredentialType>,
	) {
		super();
	}

	/** Every value of a field that is shown as a password, without the white space around it. */
	secrets(): string[] {
		return Object.values(this.stored).flatMap(({ type, data }) =>
			this.getCredentialsProperties(type)
				.filter((property) => property.typeOptions?.password)
				.map((property) => data[property.name])
				.map((value) => (typeof value === 'string' ? value.trim() : ''))
				.filter((value) => value !== ''),
		);
	}

	/** The saved data with the defaults of fields that nobody changed, as in n8n. */
	override async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		{ name }: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const credential = this.stored[name];
		if (credential?.type !== type) throw new Error(`No credential "${name}" of type "${type}"`);
		return NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			structuredClone(credential.data) as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.typeOf(type);
		if (typeof authenticate !== 'function') {
			throw new Error(`Credential type "${type}" does not authenticate with a function`);
		}
		return await authenticate(credentials, request);
	}

	override getCredentialsProperties(type: string) {
		return this.typeOf(type).properties;
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async preAuthentication() {
		return undefined;
	}

	override async runPreAuthentication() {
		return undefined;
	}

	override async getCredentials(): Promise<never> {
		throw new Error('Credentials in memory are not encrypted');
	}

	override async updateCredentials(): Promise<never> {
		throw new Error('A node must not change a credential');
	}

	override async updateCredentialsOauthTokenData(): Promise<never> {
		throw new Error('A node must not change a credential');
	}

	private typeOf(name: string): ICredentialType {
		const type = this.types[name];
		if (type === undefined) throw new Error(`Unknown credential type "${name}"`);
		return type;
	}
}
