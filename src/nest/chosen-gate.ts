/**
 * The gates of a started application, for whoever comes in by another way than their routes.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { McpGate } from '../gate/gate.js';
import { McpCommandFault } from '../stdio/command-fault.js';
import { McpGates } from './gates.js';
import { isOwnHost } from './own-hosts.js';

/**
 * The application's gates.
 *
 * @throws McpCommandFault when it has none, TypeError for anything but an application.
 */
export function gatesOf(app: INestApplicationContext): McpGates {
  if (typeof (app as Partial<INestApplicationContext> | undefined)?.get !== 'function') {
    throw new TypeError('A Nest application or testing module is needed here. Is an "await" missing where it is made?');
  }
  try {
    return app.get(McpGates, { strict: false });
  } catch (cause) {
    throw new McpCommandFault('The application has no gate: import McpModule.forRoot() in one of its modules.', {
      cause,
    });
  }
}

/**
 * The gate that was asked for by its name; without one the application's only gate, or the only one that is enabled. A gate for
 * nothing but this package's own tools (the devkit's) is beside those of the application, and taken only by its name.
 *
 * @throws McpCommandFault that lists the gates when there are several or none of that name, and for a gate that is not enabled.
 */
export function chosenGate(gates: McpGates, name?: string): McpGate {
  const { names } = gates;
  const enabled = names.filter((each) => gates.get(each).settings.enabled);
  const ofApplication = enabled.filter((each) => !isOwn(gates.get(each)));
  const choice = ofApplication.length > 0 ? ofApplication : enabled;
  if (name === undefined && choice.length > 1) {
    throw new McpCommandFault(
      `The application has the gates ${enabled.join(', ')}: say which one with { gate: '…' }, on the command line with --gate.`,
    );
  }
  const wanted = name ?? choice[0] ?? names[0] ?? '';
  if (!names.includes(wanted)) {
    throw new McpCommandFault(`No gate is called "${wanted}". The gates are: ${names.join(', ') || 'none'}.`);
  }
  if (enabled.includes(wanted)) return gates.get(wanted);
  throw new McpCommandFault(
    `The gate "${wanted}" is not enabled: let its settings say enabled: true, or take another.`,
  );
}

function isOwn({ settings: { tools } }: McpGate): boolean {
  return (
    tools !== 'discovered' && tools.length > 0 && tools.every((one) => typeof one === 'function' && isOwnHost(one))
  );
}
