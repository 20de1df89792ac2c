// Command-line options as a table.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdio.h>

/// Command-line options as a table. One table gives the parsing, the messages and the `-h` text of a command:
///
///     typedef struct supBakeOptions { const char* in; const char* out; float fps; bool json; } supBakeOptions;
///     supBakeOptions words = { .fps = 30.0f };
///     const supOption options[] = {
///         { .name = "fps", .type = sup_optionFloat, .target = &words.fps, .min = 1, .max = 1000,
///           .value = "N", .help = "frames per second" },
///         { .name = "json", .type = sup_optionFlag, .target = &words.json, .help = "…" },
///         SUP_OPTIONS_END,
///     };
///     const supArgument arguments[] = {
///         { .name = "IN", .target = &words.in, .required = true, .help = "a glTF file" },
///         SUP_ARGUMENTS_END,
///     };
///     const supUsage usage = { "bake", "adds the motion", options, arguments, NULL };
///     supParseResult parsed = supParseWords( &usage, argc, args );
///     if ( parsed != sup_parseOk ) return supExitCodeOf( parsed );
///
/// Accepted: `--fps 25`, `--fps=25`, `-j 4`, `-j4` for an option with a letter, `--` before words that start with a
/// dash. A lone `-` is an argument. `-h` and `--help` are known to every command.
typedef enum supOptionType
{
    sup_optionFlag,   ///< no value; target: bool*
    sup_optionInt,    ///< target: int*, within [min, max] where max > min
    sup_optionFloat,  ///< target: float*, finite, within [min, max] where max > min
    sup_optionText,   ///< target: const char**; the last one counts
    sup_optionChoice, ///< target: int*, the index in `choices`
    sup_optionList,   ///< target: supTextList*; may be repeated
} supOptionType;

enum
{
    sup_maxListCount = 256
};

/// The values of an option or an argument that may be given several times, in order.
typedef struct supTextList
{
    const char* items[sup_maxListCount];
    int count;
} supTextList;

typedef struct supOption
{
    const char* name; ///< without the dashes, kebab-case; NULL ends the table
    char letter;      ///< a short form, or 0
    supOptionType type;
    void* target;      ///< keeps what it holds when the option is absent
    const char* value; ///< how the help calls the value: "N", "FILE"; choices name themselves
    const char* help;  ///< one line; line breaks start a new line in the same column
    double min;        ///< numbers; both 0: no limits
    double max;
    const char* const* choices; ///< ends with NULL
    bool* given;                ///< optional: set when the option was present
    bool hidden;                ///< an old name: understood, not in the help
} supOption;

/// A word without dashes. Required ones come first; the last may be a list.
typedef struct supArgument
{
    const char* name; ///< as the help writes it: "IN"; NULL ends the table
    const char* help;
    const char** target;
    supTextList* list; ///< instead of target: takes all words that are left
    bool required;
} supArgument;

#define SUP_OPTIONS_END                                                                                                \
    {                                                                                                                  \
        .name = NULL                                                                                                   \
    }
#define SUP_ARGUMENTS_END                                                                                              \
    {                                                                                                                  \
        .name = NULL                                                                                                   \
    }

typedef struct supUsage
{
    const char* command;
    const char* summary; ///< one line
    const supOption* options;
    const supArgument* arguments;
    const char* notes; ///< printed below the options, or NULL
    const char* form;  ///< the usage line's words after the command, "IN OUT"; NULL: made of the arguments
} supUsage;

typedef enum supParseResult
{
    sup_parseOk,
    sup_parseHelp,  ///< the help was asked for and printed: exit code 0
    sup_parseWrong, ///< a message was printed: exit code 2
} supParseResult;

/// Reads the words after args[0], fills the targets. Prints help to stdout and mistakes to stderr.
supParseResult supParseWords( const supUsage* usage, int argc, char** args );

/// The exit code to leave with when the result is not sup_parseOk.
int supExitCodeOf( supParseResult result );

/// Writes the help text of a command.
void supPrintUsage( const supUsage* usage, FILE* out );

/// Reports words that are wrong in a way the table cannot know: "supple bake: …" and where the help is. Returns exit
/// code 2.
int supReportMisuse( const supUsage* usage, const char* format, ... );

/// The candidate nearest to `word`, near enough to be meant, or NULL. `candidates` ends with NULL.
const char* supNearestWord( const char* word, const char* const* candidates );
