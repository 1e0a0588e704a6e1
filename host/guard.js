// Runs a command and takes down its whole process group as soon as standard input closes. The operating
// system closes that pipe however the process at its other end dies, so no child outlives its owner.
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

child.on('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.stdin.resume().on('end', () => process.kill(-process.pid, 'SIGKILL'));
