import { useQuery } from '@tanstack/react-query'
import { endingTexts } from './member-labels.ts'
import { teamQuery } from './team.api.ts'

type Props = {
  memberId: string
  /** Set for a role with fewer permissions, which ends no sessions. */
  keepsSessions?: boolean
}

/**
 * Lists the access that a member loses permanently by a removal, a deactivation or a role with fewer permissions.
 * Renders nothing if there is none.
 */
export function EndingAccess({ memberId, keepsSessions = false }: Props) {
  const member = useQuery(teamQuery).data?.find(({ id }) => id === memberId)
  const texts = member === undefined ? [] : endingTexts(member, { keepsSessions })
  if (texts.length === 0) return null
  return (
    <>
      <p>This ends permanently:</p>
      <ul aria-label="Ends permanently" className="bullets">
        {texts.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
