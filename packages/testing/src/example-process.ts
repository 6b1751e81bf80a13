import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** The folder of the examples in the documents. */
export const EXAMPLES = path.resolve(import.meta.dirname, '../../../docs/examples')

/** Runs an example on a free port until `child` is killed. `ready` is the address that it prints. */
export function runExample(
  file: string,
  settings: Record<string, string> = {},
): { child: ChildProcess; ready: Promise<string> } {
  const env = { ...process.env, PORT: '0', ...settings }
  const child = spawn(process.execPath, [path.join(EXAMPLES, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const addressOf = async (): Promise<string> => {
    for await (const line of createInterface({ input: child.stdout })) return line.replace('Ready: ', '')
    throw new Error(`${file} ended.`)
  }
  return { child, ready: addressOf() }
}
