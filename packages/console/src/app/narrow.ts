/** Below this the side bar is a drawer, and there is room for one toast. */
export const NARROW = '(max-width: 860px)'
