import { FAULTS, type FaultId } from '../../../src/cli/doctor/faults.js';
import type { Finding } from '../../../src/cli/doctor/finding.js';
import { runCommand, type Ended } from '../run-command.js';
import { BROKEN, endBroken, type Broken } from './broken.js';
import { closeServers } from './servers.js';

/** These need a certificate that is trusted, so a process of their own. */
const TRUSTING: readonly FaultId[] = ['tls-expired', 'tls-name'];

afterEach(async () => {
  await closeServers();
  await endBroken();
});

function doctor({ url, token, words = [] }: Broken, ...more: string[]): Promise<Ended> {
  const tokenWords = token === undefined ? [] : ['--token-env', 'SHOP_TOKEN'];
  return runCommand(['doctor', '--url', url, ...tokenWords, ...words, ...more], { env: { SHOP_TOKEN: token } });
}

function findingsIn({ stdout }: Ended): Finding[] {
  return (JSON.parse(stdout) as { findings: Finding[] }).findings;
}

function faultsIn(ended: Ended): (FaultId | undefined)[] {
  return findingsIn(ended).flatMap(({ fault }) => fault ?? []);
}

describe('the doctor finds each fault that it knows of (N2)', () => {
  const ids = Object.keys(FAULTS).filter((id) => !TRUSTING.includes(id as FaultId)) as FaultId[];

  it.each(ids)('%s', async (id) => {
    const broken = await BROKEN[id]();
    const ended = await doctor(broken, '--json');
    expect(ended.stderr).toBe('');
    expect(new Set(faultsIn(ended))).toEqual(new Set([id, ...(broken.with ?? [])]));
    expect(ended.code).toBe(1);
    expect(findingsIn(ended).find(({ fault }) => fault === id)).toEqual({
      verdict: 'change',
      fault: id,
      seen: expect.stringMatching(/\S/),
      ...FAULTS[id],
    });
  });
});
