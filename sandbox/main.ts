import { help, readCommandLine } from './commandLine';
import { type Sandbox, startSandbox } from './server';
import { type DeliveryAttempt, isAccepted } from './webhook';

function greeting({ baseUrl, keys }: Sandbox): string {
	return `The sandbox listens on ${baseUrl}
It stands in for the wallet screening service.

  Read-write key  ${keys.readWrite}
  Read-only key   ${keys.readOnly}

Try it:

  curl ${baseUrl}/v1/screen \\
    -H 'Authorization: Bearer ${keys.readWrite}' \\
    -H 'Content-Type: application/json' \\
    -d '{"address":"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"}'

In n8n, create a credential "Wallet Screening API" with the base URL ${baseUrl}
and the read-write key. The reports are made up; addresses that the US Treasury has sanctioned are red.
docs/sandbox.md lists test addresses, e.g. for a slow answer or a report that gets worse overnight.

To move to the next day:  curl -X PUT ${baseUrl}/sandbox/day -d 1

Ctrl+C ends it.
`;
}

function printFailure({ job_id, attempt, status, problem }: DeliveryAttempt): void {
	if (isAccepted(status)) return;
	const reason = status === null ? problem : `status ${status}`;
	console.error(`Attempt ${attempt} to report ${job_id} failed: ${reason}`);
}

async function main(): Promise<void> {
	const commandLine = readCommandLine(process.argv.slice(2));
	if (!commandLine) {
		console.log(help);
		return;
	}
	const sandbox = await startSandbox({ ...commandLine.options, onDeliveryAttempt: printFailure });
	for (const fault of commandLine.faults) sandbox.addFault(fault);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close());
	}
	console.log(greeting(sandbox));
}

main().catch((error: Error) => {
	console.error(`${error.message}\nSee npm run sandbox -- --help`);
	process.exitCode = 1;
});
