import { spawn } from 'node:child_process'

/** Interval of the progress lines where a line cannot be replaced, such as in a log. */
const LINE_SECONDS = 20

/** Runs a program, and shows what it does with the elapsed seconds. Returns the exit code. */
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
