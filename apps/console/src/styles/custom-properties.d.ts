import 'react'

declare module 'react' {
  interface CSSProperties {
    /** How much of a slider's track is filled, in percent. */
    '--filled'?: string
    /** Number of steps of a chart's axis. */
    '--steps'?: number
  }
}
