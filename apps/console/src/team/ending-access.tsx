import { useQuery } from '@tanstack/react-query'
import { endingTexts } from './member-labels.ts'
import { teamQuery } from './team.api.ts'
import css from './ending-access.module.css'

type Props = {
  memberId: string
  /** A smaller role ends no session. */
  keepsSessions?: boolean
}

/** What a removal, a deactivation or a smaller role of a member ends for good; nothing for a member without open access. */
export function EndingAccess({ memberId, keepsSessions = false }: Props) {
  const member = useQuery(teamQuery).data?.find(({ id }) => id === memberId)
  const texts = member === undefined ? [] : endingTexts(member, { keepsSessions })
  if (texts.length === 0) return null
  return (
    <>
      <p>This ends for good:</p>
      <ul aria-label="Ends for good" className={css.list}>
        {texts.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
