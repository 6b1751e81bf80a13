import { crc32, deflateSync } from 'node:zlib'
import { draw } from './draw.ts'

/** Pixels of a side. */
const SIDE = 96
const STRIPE = 12

/** URL of a sample author's photo in Google's format. The emulator serves the same path. */
export function photoUri(author: string): string {
  return `https://lh3.googleusercontent.com/a/sample-${author.toLowerCase()}=s${SIDE}-c0x00000000-cc-rp-mo`
}

/** A PNG of a head and shoulders before stripes, in constant colors per id. */
export function samplePhoto(id: string): Buffer {
  const hue = (part: string): [number, number, number] => [
    draw(96, id, part, 'r'),
    draw(96, id, part, 'g'),
    draw(96, id, part, 'b'),
  ]
  const ground = hue('ground').map((value) => 150 + value)
  const figure = hue('figure').map((value) => 30 + value)
  const rows = Array.from({ length: SIDE }, (_, y) => {
    const pixels = Array.from({ length: SIDE }, (_pixel, x) => {
      if (isFigure(x / SIDE, y / SIDE)) return figure
      return (x + y) % (2 * STRIPE) < STRIPE ? ground : ground.map((value) => value - 20)
    })
    // Filter type 0 before each row: none (RFC 2083, 6).
    return [0, ...pixels.flat()]
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Eight bits each of red, green and blue.
  header.set([8, 2], 8)
  const data = deflateSync(Buffer.from(rows.flat()))
  return Buffer.concat([PNG, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** First bytes of every PNG. */
export const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** `x` and `y` from 0 to 1. */
function isFigure(x: number, y: number): boolean {
  const isHead = Math.hypot(x - 0.5, y - 0.38) < 0.2
  const areShoulders = Math.hypot((x - 0.5) / 0.38, (y - 1) / 0.36) < 1
  return isHead || areShoulders
}

/** A part of a PNG (RFC 2083, 3.2). */
function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
