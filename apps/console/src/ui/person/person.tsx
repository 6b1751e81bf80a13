import css from './person.module.css'

type Props = { name: string | null; email: string; isSelf?: boolean }

/** A person in one line: the name and the address, or only the address with its domain in gray. */
export function Person({ name, email, isSelf = false }: Props) {
  const [account, domain] = email.split(/(?=@)/)
  return (
    <span className="line">
      <span className="cut" data-tooltip="cut" dir="auto">
        {name === null ? (
          <>
            <span className={css.name}>{account}</span>
            <span className={css.address}>{domain}</span>
          </>
        ) : (
          <>
            <span className={css.name}>{name}</span> <bdi className={css.address}>{email}</bdi>
          </>
        )}
      </span>
      {isSelf && <span className={css.you}>You</span>}
    </span>
  )
}
