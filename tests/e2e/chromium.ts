import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Where systems install their own Chromium. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const isBundled = process.platform === 'linux' && process.arch === 'x64'
const FONTS_FILE = 'switchboard-fonts.conf'

export type Chromium = { executablePath: string; env: Record<string, string> }

/**
 * The Chromium for the tests: Chromium from npm with its own libraries and fonts, unpacked once into
 * `node_modules/.cache`, or an installed Chromium where npm has none. `CHROMIUM=/usr/bin/chromium` chooses another.
 */
export async function findChromium(): Promise<Chromium> {
  const chosen = process.env['CHROMIUM'] || (isBundled ? undefined : INSTALLED.find((file) => existsSync(file)))
  if (chosen !== undefined) return { executablePath: chosen, env: {} }
  if (!isBundled) throw new Error('Install Chromium or Chrome: the one from npm runs only on Linux x64.')
  const folder = await unpackedChromium()
  return {
    executablePath: path.join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: path.join(folder, FONTS_FILE) },
  }
}

async function unpackedChromium(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const root = path.resolve(path.dirname(entry), '..')
  const cache = path.join(root, '..', '..', '.cache')
  const folder = path.join(cache, 'chromium')
  if (existsSync(path.join(folder, 'chromium'))) return folder

  // The package unpacks into the system's temporary folder. Make that a draft of ours, which is moved when it is
  // complete.
  const draft = path.join(cache, `chromium-${process.pid}`)
  await mkdir(draft, { recursive: true })
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = draft
  try {
    const { inflate } = await import('@sparticuz/chromium')
    for (const archive of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
      await inflate(path.join(root, 'bin', archive))
    }
    await writeFile(path.join(draft, FONTS_FILE), fontsFile(folder))
    // A running Chromium writes its cache of fonts into a folder that an installation has just deleted.
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  return folder
}

/** The package's own file names folders of another kind of machine; without any font Chromium ends at the first letter. */
function fontsFile(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
}
