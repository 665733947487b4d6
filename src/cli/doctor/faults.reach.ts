/**
 * Faults by which no gate is reached at all.
 */
import type { KnownFault } from './known-fault.js';

export const REACH_FAULTS = {
  'name-unknown': {
    check: 'reach',
    means: 'The name of the host has no address, so nobody finds the gate.',
    change: 'Check the spelling and the DNS record of the host.',
  },
  refused: {
    check: 'reach',
    means: 'Nothing listens at this host and port.',
    change: 'Start the application. In a container it must listen on 0.0.0.0 and have its port published.',
  },
  silent: {
    check: 'reach',
    means: 'Somebody takes the connection or drops it, and nobody answers.',
    change: 'Check firewalls, and the address that the proxy passes requests on to. --timeout waits longer.',
  },
  'hung-up': {
    check: 'reach',
    means: 'The connection was closed before an answer came.',
    change:
      'Look into the log of the proxy and of the application. A port that speaks TLS needs an address with https.',
  },
  'tls-untrusted': {
    check: 'reach',
    means: 'Clients refuse this certificate: nobody whom they trust has signed it.',
    change:
      'Serve the whole chain of a certificate that clients trust. For an authority of your own start the clients (and this command) with NODE_EXTRA_CA_CERTS.',
  },
  'tls-expired': {
    check: 'reach',
    means: 'Clients refuse this certificate: its time is over, or has not begun.',
    change: 'Renew the certificate, and check the clocks of both machines.',
  },
  'tls-name': {
    check: 'reach',
    means: 'Clients refuse this certificate: it is for another host.',
    change: 'Use the host that the certificate names, or get one that names this host.',
  },
  'tls-plain': {
    check: 'reach',
    means: 'The other side does not speak TLS as clients do.',
    change:
      'Write the address with http if the port is a plain one; else check the TLS versions that the proxy allows.',
  },
  redirected: {
    check: 'reach',
    means: 'Clients do not follow: a message and its token are not sent on to another address.',
    change: 'Give clients the address at the end of the redirection.',
  },
  'not-found': {
    check: 'reach',
    means: 'No gate answers at this path.',
    change:
      'Take the path from the line that the gate writes at the start: a global prefix and versions come before it, and the proxy must pass it on unchanged. A gate with "enabled: false" answers 404 too.',
  },
  'not-a-gate': {
    check: 'reach',
    means: 'What answers here does not speak MCP: a page, a login, another route.',
    change: 'Let the proxy pass this path on to the application, without a login page or a bot check before it.',
  },
  'bad-gateway': {
    check: 'reach',
    means: 'The proxy could not get an answer from the application, or the application failed.',
    change: 'Start the application, check the address that the proxy passes requests on to, and read its log.',
  },
  forbidden: {
    check: 'reach',
    means: 'Something before the gate turns clients away.',
    change: 'Let the firewall or the proxy pass POST requests with JSON from clients that are no browsers.',
  },
  'too-many': {
    check: 'reach',
    means: 'A limit of requests turns clients away after a few.',
    change: 'Raise the limit for this path: an agent sends many requests in a short time.',
  },
  relayed: {
    check: 'reach',
    means: 'The gate is a local one, and the proxy has added X-Forwarded-For, Forwarded, X-Real-IP or Via.',
    change: 'Set allowRemote: true, list the tools, and protect the gate with authorization.',
  },
  'host-refused': {
    check: 'reach',
    means: 'The gate does not know the host by which it was called.',
    change: 'Add the host to allowedHosts, or let the proxy pass on a Host that the gate knows.',
  },
  'not-local': {
    check: 'reach',
    means: 'The gate is a local one, and this request came from another machine or container.',
    change: 'Set allowRemote: true, list the tools, and protect the gate with authorization.',
  },
} as const satisfies Readonly<Record<string, KnownFault>>;
