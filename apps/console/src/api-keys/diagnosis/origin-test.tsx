import { TextInput } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import { isOriginAllowed } from '@switchboard/contract/api-keys/allowed-origins'
import { isWorkingState } from '@switchboard/contract/api-keys/key-state'
import { useState } from 'react'
import { stateBadge, stateOf } from '#src/api-keys/key-state-labels.ts'
import css from './origin-test.module.css'

/** Says whether a call from an origin would be accepted, and by which rule. The same rule as in the check of a key. */
export function OriginTest({ apiKey }: { apiKey: ApiKey }) {
  const [typed, setTyped] = useState('')
  const origin = typed.trim()
  const result = origin === '' ? null : resultOf(apiKey, origin)
  return (
    <div>
      <TextInput
        label="Test an origin"
        placeholder="https://www.example.com"
        value={typed}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <output className={`${css.result} ${result?.isAccepted ? css.good : css.bad}`}>{result?.text}</output>
    </div>
  )
}

function resultOf(apiKey: ApiKey, origin: string): { isAccepted: boolean; text: string } {
  const { allowed_origins: rules } = apiKey
  if (!isOriginAllowed(rules, origin)) return { isAccepted: false, text: 'Refused: no allowed origin matches.' }
  const rule = rules.find((one) => isOriginAllowed([one], origin))
  const why = rule === undefined ? 'any origin is allowed' : `${rule} is allowed`
  return isWorkingState(stateOf(apiKey))
    ? { isAccepted: true, text: `Accepted: ${why}.` }
    : { isAccepted: false, text: `Refused: ${stateBadge(apiKey).text}. About the origin itself: ${why}.` }
}
