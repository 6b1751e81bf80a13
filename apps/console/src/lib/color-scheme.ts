import { useSyncExternalStore } from 'react'
import { onStoredColorScheme, storeColorScheme, storedColorScheme } from './session.ts'

/** What can be chosen; `auto` is as the system has it. */
export type ColorScheme = 'light' | 'dark' | 'auto'

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** Keeps the page in the scheme chosen on this device, as the system and other tabs change. */
export function followColorScheme(): void {
  systemIsDark.addEventListener('change', applyColorScheme)
  onStoredColorScheme(applyColorScheme)
}

/** The scheme that was chosen, followed as it changes. */
export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(onColorSchemeChange, chosenColorScheme)
}

export function chooseColorScheme(scheme: ColorScheme): void {
  storeColorScheme(scheme)
  applyColorScheme()
}

function onColorSchemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function chosenColorScheme(): ColorScheme {
  const stored = storedColorScheme()
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

/** The attribute is what Mantine's styles and ours look at; public/early.js sets it before the first paint. */
function applyColorScheme(): void {
  const chosen = chosenColorScheme()
  const isDark = chosen === 'auto' ? systemIsDark.matches : chosen === 'dark'
  document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}
