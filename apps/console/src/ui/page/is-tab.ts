import { createContext } from 'react'

/** Whether a page renders as the content of a tab, below the title of another page. */
export const IsTab = createContext(false)
