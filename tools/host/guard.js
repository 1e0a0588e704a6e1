// Runs a command, and kills all its processes as soon as the process that started this one
// sends a message or ends. The operating system closes the channel between them however that process
// ends, so no child outlives it.
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

// The other process may have ended already.
child.on('spawn', () => process.send?.(child.pid, () => {}));
child.on('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
child.on('exit', (code) => {
	// Ends what the command has left behind. This process is in the same group, but it stays, because
	// it handles the signal.
	process.kill(-process.pid, 'SIGTERM');
	process.exit(code ?? 1);
});
process.on('SIGTERM', () => child.kill('SIGTERM'));
// Ctrl+C reaches the command too, which may take its time.
process.on('SIGINT', () => {});

const endAll = () => process.kill(-process.pid, 'SIGKILL');
process.on('disconnect', endAll);
process.on('message', endAll);
