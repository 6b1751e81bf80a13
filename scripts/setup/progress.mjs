import { spawn } from 'node:child_process'

/** How often the seconds are written where a line cannot be replaced. */
const LINE_SECONDS = 20

/** Runs a program, and shows the name of the work with the seconds that it takes. Returns the exit code. */
export async function runWithSeconds(work, program, args, options) {
  const began = Date.now()
  const { isTTY } = process.stdout
  process.stdout.write(`${work} …${isTTY ? '' : '\n'}`)
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000)
    if (isTTY) process.stdout.write(`\r${work} … ${seconds} s`)
    else if (seconds % LINE_SECONDS === 0) process.stdout.write(`${work} … ${seconds} s\n`)
  }, 1000)
  const code = await new Promise((resolve) => {
    const child = spawn(program, args, options)
    child.on('close', resolve).on('error', (error) => {
      console.error(error.message)
      resolve(null)
    })
  })
  clearInterval(timer)
  if (isTTY) process.stdout.write('\n')
  return code
}
