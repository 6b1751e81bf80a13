import { fullText, momentText } from '#src/lib/format/moment.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Item } from './item.tsx'

type Props = {
  at: string
  outcome: 'done' | 'refused'
  /** The person or the device. */
  about?: string | undefined
  facts: (string | null | undefined)[]
}

/** A sign-in in a list, done or refused. */
export function SignInItem({ at, outcome, about, facts }: Props) {
  const isRefused = outcome === 'refused'
  return (
    <Item
      title={
        <>
          {about !== undefined && <bdi>{about}</bdi>}
          <Badge tone={isRefused ? 'bad' : 'ok'} text={isRefused ? 'Refused' : 'Signed in'} dot />
        </>
      }
      facts={
        <>
          <time dateTime={at} data-tooltip={fullText(at)}>
            {momentText(at)}
          </time>
          {facts.filter((fact) => fact).map((fact) => ` · ${fact}`)}
        </>
      }
    />
  )
}
