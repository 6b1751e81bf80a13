import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { connect, type TLSSocket } from 'node:tls'
import type { AddressGuard } from '@switchboard/server/outbound/address-guard'
import { TIMEOUT } from '#src/signals/connection-failures.ts'
import { CLOSED_EARLY, RefusedBatchError, SEND_MS, ShippingError, shippingError } from './shipping-error.ts'
import type { LogRecord } from './log-record.ts'

/** Facility "log audit" of RFC 5424, and the severities "notice" and "warning". */
const FACILITY = 13
const NOTICE = 5
const WARNING = 4
/** Longest MSGID of RFC 5424. */
const MESSAGE_ID_MAX = 32

/** Shortest wait between the records and the end of a connection, in milliseconds. */
const GRACE_MS = 200

export type SyslogServer = {
  host: string
  port: number
  certificateAuthority: string | null
  /** A certificate and its private key as PEM. */
  clientCertificate: string | null
}

/**
 * Sends records to a syslog server over TLS (RFC 5425). Syslog has no confirmations, therefore each batch has a connection
 * that this function closes, and then waits until the server, which has read everything, closes it too. Throws a
 * RefusedBatchError if the server closes earlier, as it does for a message that is too long, and a ShippingError for another
 * failure.
 */
export async function sendToSyslog(
  { host, port, certificateAuthority, clientCertificate }: SyslogServer,
  records: readonly LogRecord[],
  { guard }: { guard: AddressGuard },
): Promise<void> {
  const destination = { protocol: 'https:', hostname: host }
  try {
    const refusal = guard.refusalOf(destination)
    if (refusal !== null) throw refusal
    const socket = connect({
      host,
      port,
      // An address is not a server name, but is compared with the certificate all the same.
      ...(isIP(host) === 0 && { servername: host }),
      lookup: guard.lookup(destination.protocol),
      minVersion: 'TLSv1.2',
      ...(certificateAuthority !== null && { ca: certificateAuthority }),
      ...(clientCertificate !== null && { cert: clientCertificate, key: clientCertificate }),
    })
    await untilRead(socket, Buffer.concat(records.map(frameOf))).finally(() => socket.destroy())
  } catch (error) {
    throw shippingError(error)
  }
}

async function untilRead(socket: TLSSocket, frames: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const began = performance.now()
  let isConnected = false
  let isEnded = false
  let ending: NodeJS.Timeout | undefined
  // Without a connection, a smaller batch would not pass either.
  const closedEarly = () => (isConnected ? new RefusedBatchError(CLOSED_EARLY) : new ShippingError(CLOSED_EARLY))
  const end = () => {
    isEnded = true
    socket.end()
  }
  const timer = setTimeout(() => reject(new ShippingError(TIMEOUT)), SEND_MS)
  socket
    .once('secureConnect', () => {
      isConnected = true
      // A server that closed without reading tells so within a round trip, of which the handshake took several.
      const graceMs = Math.max(GRACE_MS, performance.now() - began)
      socket.write(frames, () => (ending = setTimeout(end, graceMs)))
    })
    .once('end', () => {
      if (!isEnded) reject(closedEarly())
    })
    .once('error', (error) => reject(isClosing(error) ? closedEarly() : error))
    .once('close', () => (isEnded && socket.readableEnded ? resolve() : reject(closedEarly())))
    // Whatever a server says is no confirmation, but its end is only seen after it.
    .resume()
  await promise.finally(() => {
    clearTimeout(timer)
    clearTimeout(ending)
  })
}

function isClosing(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** A message with its length in bytes, as in RFC 5425. */
function frameOf(record: LogRecord): Buffer {
  const message = messageOf(record)
  return Buffer.from(`${Buffer.byteLength(message)} ${message}`)
}

/** A message as in RFC 5424. The text is JSON in one line and UTF-8, without the byte order mark that JSON must not have. */
function messageOf({ at, name, isRefusal, text }: LogRecord): string {
  const priority = FACILITY * 8 + (isRefusal ? WARNING : NOTICE)
  return `<${priority}>1 ${at} ${HOST} switchboard ${process.pid} ${name.slice(0, MESSAGE_ID_MAX)} - ${text}`
}

/** Printable ASCII without spaces, at most 255 characters. */
const HOST =
  hostname()
    .replaceAll(/[^\x21-\x7e]/g, '')
    .slice(0, 255) || '-'
