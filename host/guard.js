// Runs a command and takes down all its processes as soon as its owner is gone. The operating system closes the channel
// between them however the owner dies, so no child outlives it.
const { spawn, spawnSync } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });

child.on('spawn', () => process.send?.(child.pid));
child.on('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('disconnect', () => {
	if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
	else process.kill(-process.pid, 'SIGKILL');
});
