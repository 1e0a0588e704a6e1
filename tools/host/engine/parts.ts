import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, ErrorReporter, InstanceSettings } from 'n8n-core';
import { type Logger as WorkflowLogger, LoggerProxy } from 'n8n-workflow';

import { freshFolder } from '../folder';
import { textOf } from './secrets';

/** The parts of an n8n process that its workflow engine looks up by itself. */
export interface EngineParts {
	readonly binaryData: BinaryDataService;
	/** How many lines the log has. */
	countLogLines(): number;
	/**
	 * The lines of the log, of every level, without the first `skipped`. n8n's check lets no node
	 * write anywhere else.
	 */
	logAfter(skipped: number): string;
	/** Puts these parts where the engine finds them. */
	use(): void;
	close(): Promise<void>;
}

/** Starts the parts that the engine looks up. Binary data stays in memory. */
export async function startParts(): Promise<EngineParts> {
	const folder = await freshFolder('engine');
	const lines: string[] = [];
	const logger = loggerInto((...values) => lines.push(values.map(textOf).join(' ')));
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
	const errors = new ErrorReporter(logger, undefined as never);
	const config = { mode: 'default', localStoragePath: join(folder, 'binary'), signingSecret: '' };
	const binaryData = new BinaryDataService(config as BinaryDataConfig, errors, logger);
	await binaryData.init();
	return {
		binaryData,
		countLogLines: () => lines.length,
		logAfter: (skipped) => lines.slice(skipped).join('\n'),
		use() {
			LoggerProxy.init(logger);
			Container.set(Logger, logger);
			Container.set(InstanceSettings, settings);
			Container.set(BinaryDataService, binaryData);
			Container.set(ErrorReporter, errors);
		},
		close: async () => await rm(folder, { recursive: true, force: true }),
	};
}

/** A logger that passes every message to `add`, whatever its level. */
function loggerInto(add: (...values: unknown[]) => void): Logger {
	const levels: WorkflowLogger = { error: add, warn: add, info: add, debug: add };
	const logger = { ...levels, scoped: () => logger } as unknown as Logger;
	return logger;
}
