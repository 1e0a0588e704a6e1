import { run } from './child';
import { projectFolder } from './paths';
import { defaultN8nVersion } from './versions';

/** How to try this package in n8n's own image; `undefined` if no Docker daemon answers. */
export async function dockerWay(): Promise<string | undefined> {
	const ask = ['docker', 'version', '--format', '{{.Server.Version}}'];
	const answer = run(ask, { cwd: projectFolder }, { patience: 5_000 });
	if (!(await answer.catch(() => ''))) return undefined;
	return `Docker runs here. n8n's own image is a smaller download and needs no compiler:

  npm run build && npm pack
  npm run sandbox        # in a second terminal; it prints the address and the key for the credential
  docker run --rm -it --network host -v "$PWD:/clone:ro" --entrypoint sh docker.n8n.io/n8nio/n8n:${defaultN8nVersion} -c \\
    'mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --legacy-peer-deps --ignore-scripts /clone/*.tgz && exec n8n'

Then open http://localhost:5678 and import a file from templates/. Docker Desktop has host networking in
its settings.`;
}
