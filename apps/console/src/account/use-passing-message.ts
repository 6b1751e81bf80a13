import { ERROR_SHOWN_MS, RESULT_SHOWN_MS } from '@switchboard/contract/account'
import { useEffect, useState } from 'react'

export type PassingMessage = { kind: 'none' } | { kind: 'problem' | 'failed' | 'done'; text: string }

/** A message that goes by itself: after 3 s what is wrong with the entry, after 5 s what the server said (spec §5). */
export function usePassingMessage() {
  const [message, setMessage] = useState<PassingMessage>({ kind: 'none' })
  useEffect(() => {
    if (message.kind === 'none') return
    const timer = setTimeout(
      () => setMessage({ kind: 'none' }),
      message.kind === 'problem' ? ERROR_SHOWN_MS : RESULT_SHOWN_MS,
    )
    return () => clearTimeout(timer)
  }, [message])
  return [message, setMessage] as const
}
