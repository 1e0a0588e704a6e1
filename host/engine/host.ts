import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, ErrorReporter, InstanceSettings } from 'n8n-core';
import { type Logger as WorkflowLogger, LoggerProxy } from 'n8n-workflow';

import { freshFolder } from '../folder';
import { captureOutput, type CapturedOutput } from './output';

export type BinaryMode = 'default' | 'filesystem';

/** The parts of an n8n process that its workflow engine looks up by itself. */
export interface Host {
	binaryData: BinaryDataService;
	output: CapturedOutput;
	/** Puts these parts where the engine finds them. */
	use(): void;
	close(): Promise<void>;
}

/** @param binaryMode `default` keeps binary data in memory, `filesystem` in a folder of its own. */
export async function startHost(binaryMode: BinaryMode): Promise<Host> {
	const folder = await freshFolder('engine');
	const output = captureOutput();
	const logger = loggerInto(output);
	Container.set(Logger, logger);
	const settings = new InstanceSettings(
		{
			userHome: folder,
			n8nFolder: folder,
			encryptionKey: 'nothing here outlives the process',
			enforceSettingsFilePermissions: false,
		} as ConstructorParameters<typeof InstanceSettings>[0],
		logger,
	);
	const binaryData = await startBinaryData(binaryMode, folder, logger);
	return {
		binaryData,
		output,
		use() {
			LoggerProxy.init(logger);
			Container.set(Logger, logger);
			Container.set(InstanceSettings, settings);
			Container.set(BinaryDataService, binaryData);
			Container.set(ErrorReporter, new ErrorReporter(logger, undefined as never));
		},
		async close() {
			output.restore();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function startBinaryData(mode: BinaryMode, folder: string, logger: Logger) {
	const config = { mode, localStoragePath: join(folder, 'binary'), signingSecret: '' };
	const service = new BinaryDataService(
		config as BinaryDataConfig,
		new ErrorReporter(logger, undefined as never),
		logger,
	);
	await service.init();
	return service;
}

/** A logger of every level that writes nowhere but into `output`. */
function loggerInto({ add }: CapturedOutput): Logger {
	const logger: WorkflowLogger & { scoped(): Logger } = {
		error: add,
		warn: add,
		info: add,
		debug: add,
		scoped: () => logger as unknown as Logger,
	};
	return logger as unknown as Logger;
}
