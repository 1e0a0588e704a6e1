import { requireProgram } from '../../../tools/host/programs';

const program = {
	name: 'Abacus',
	variable: 'TEST_ABACUS',
	debian: 'abacus-utils',
	executables: ['abacus-that-no-machine-has'],
};
afterEach(() => delete process.env.TEST_ABACUS);

it('finds a program where its variable points', () => {
	process.env.TEST_ABACUS = process.execPath;
	expect(requireProgram(program)).toBe(process.execPath);
});

it('finds a program by one of its names or its whole path', () => {
	const executables = [...program.executables, process.execPath];
	expect(requireProgram({ ...program, executables })).toBe(process.execPath);
});

it.each([
	[
		'how to install it if it is missing',
		undefined,
		/Abacus is missing\. .*apt-get install abacus-utils/,
	],
	[
		'the variable that points elsewhere',
		'/no/abacus',
		/^TEST_ABACUS is '\/no\/abacus', where Abacus is not/,
	],
])('names %s', (_what, variable, message) => {
	if (variable !== undefined) process.env.TEST_ABACUS = variable;
	expect(() => requireProgram(program)).toThrow(message);
});
