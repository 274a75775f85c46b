/* The few calls of ncurses that the outline makes. They are functions here, since Swift sees neither the macros nor,
   in safety, the global variables that ncurses is made of. */
#ifndef OUTLINE_NCURSES_H
#define OUTLINE_NCURSES_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <wchar.h>

/* The header tells of it only where the whole program asks for X/Open. */
int wcwidth(wchar_t character);

static const int screen_key_none = ERR, screen_key_up = KEY_UP, screen_key_down = KEY_DOWN,
                 screen_key_left = KEY_LEFT, screen_key_right = KEY_RIGHT, screen_key_home = KEY_HOME,
                 screen_key_end = KEY_END, screen_key_page_up = KEY_PPAGE, screen_key_page_down = KEY_NPAGE,
                 screen_key_enter = KEY_ENTER, screen_key_resize = KEY_RESIZE;

static inline int screen_start(void) {
    setlocale(LC_ALL, "");
    if (initscr() == NULL) return 0;
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    return 1;
}

static inline void screen_stop(void) { endwin(); }

static inline int screen_key(void) { return getch(); }

static inline int screen_height(void) { return getmaxy(stdscr); }

static inline int screen_width(void) { return getmaxx(stdscr); }

/* Text is in the encoding of the locale, and must fit into a line. */
static inline void screen_line(int line, const char *text, int is_marked) {
    move(line, 0);
    clrtoeol();
    attrset(is_marked ? A_REVERSE : A_NORMAL);
    addstr(text);
    attrset(A_NORMAL);
}

static inline int screen_columns(wchar_t character) {
    int columns = wcwidth(character);
    return columns > 0 ? columns : 0;
}

static inline void screen_show(void) { refresh(); }

#endif
