import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import css from './author-photo.module.css'

const SIDE = 36

type Props = {
  name: string | null
  /** A `data:` URI; undefined while loading. */
  photo: string | undefined
}

/** Photo of an author; the first letter of the name while loading or without a photo. */
export function AuthorPhoto({ name, photo }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span className={css.place} aria-hidden>
      {photo !== undefined && photo !== broken ? (
        <img src={photo} alt="" width={SIDE} height={SIDE} className={css.photo} onError={() => setBroken(photo)} />
      ) : (
        (initialOf(name ?? '') ?? <IconUser size={18} />)
      )}
    </span>
  )
}

/** The first grapheme of a name, upper case; undefined for an empty name. */
function initialOf(name: string): string | undefined {
  const letter = /\p{L}\p{M}*/u.exec(name)?.[0]
  return letter?.toLocaleUpperCase()
}
