/* date_names.c - months, weekdays and zones by name */
#include "net/text/date_names.h"

#include "net/text/word_list.h"

static const struct fg_str months[12] = {
    FG_WORDS("jan january januar janv janvier ene enero gen gennaio janeiro januari "
             "január Ιαν "
             "ledna stycznia tammikuuta ocak января"),
    FG_WORDS(
        "feb february februar fev fév févr février febrero febbraio februari február Φεβ "
        "února lutego helmikuuta şubat февраля"),
    FG_WORDS("mar march märz mrz maerz mars marzo março marco maart mrt március Μαρ Μάρ "
             "marts března marca maaliskuuta mart марта"),
    FG_WORDS("apr april avr avril abr abril aprile április Απρ "
             "dubna kwietnia huhtikuuta nisan апреля"),
    FG_WORDS("may mai mayo mag maggio maio mei május Μαι Μάι Μαϊ "
             "maj května maja toukokuuta mayıs мая"),
    FG_WORDS("jun june juni juin junio giu giugno junho június Ιουν Ιούν Ιον "
             "června czerwca kesäkuuta haziran июня"),
    FG_WORDS("jul july juli juil juillet julio lug luglio julho július Ιουλ Ιούλ Ιολ "
             "července lipca heinäkuuta temmuz июля"),
    FG_WORDS("aug august août aout ago agosto augustus augusztus Αυγ Αύγ "
             "augusti srpna sierpnia elokuuta ağustos августа"),
    FG_WORDS(
        "sep sept september septembre septiembre set settembre setembro szeptember Σεπ "
        "září września syyskuuta eylül сентября"),
    FG_WORDS(
        "oct october oktober okt octobre octubre ott ottobre outubro out október Οκτ "
        "října października lokakuuta ekim октября"),
    FG_WORDS("nov november novembre noviembre novembro Νοε Νοέ "
             "listopadu listopada marraskuuta kasım ноября"),
    FG_WORDS("dec december dezember dez déc décembre dic diciembre dicembre dezembro Δεκ "
             "desember prosince grudnia joulukuuta aralık декабря"),
};

/* Offsets in minutes. Letters that several places claim (CST, IST, BST) go to the one
 * that mail and feeds mean by them. "ET" and its sisters are standard time: the season is
 * not ours to guess. */
static const struct {
    int minutes;
    struct fg_str names;
} zones[] = {
    {0, FG_WORDS("gmt utc ut z wet")},
    {-600, FG_WORDS("hst")},
    {-540, FG_WORDS("akst")},
    {-480, FG_WORDS("pst akdt pt")},
    {-420, FG_WORDS("mst pdt mt")},
    {-360, FG_WORDS("cst mdt ct")},
    {-300, FG_WORDS("est cdt et")},
    {-240, FG_WORDS("edt ast")},
    {-210, FG_WORDS("nst")},
    {-180, FG_WORDS("adt brt art")},
    {-150, FG_WORDS("ndt")},
    {60, FG_WORDS("cet met mez bst west")},
    {120, FG_WORDS("cest mest mesz eet sast")},
    {180, FG_WORDS("eest msk")},
    {240, FG_WORDS("msd")},
    {300, FG_WORDS("pkt")},
    {330, FG_WORDS("ist")},
    {420, FG_WORDS("ict wib")},
    {480, FG_WORDS("sgt hkt awst")},
    {540, FG_WORDS("jst kst")},
    {570, FG_WORDS("acst")},
    {600, FG_WORDS("aest")},
    {660, FG_WORDS("aedt")},
    {720, FG_WORDS("nzst")},
    {780, FG_WORDS("nzdt")},
};

bool fg_date_month(struct fg_str word, int *month)
{
    static const char english[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    for (int i = 0; i < 12 && word.len == 3; i++)
        if (fg_lower(word.at[0]) == english[3 * i] &&
            fg_lower(word.at[1]) == english[3 * i + 1] &&
            fg_lower(word.at[2]) == english[3 * i + 2]) {
            *month = i + 1;
            return true;
        }
    for (int i = 0; i < 12; i++)
        if (fg_word_in_list(word, months[i])) {
            *month = i + 1;
            return true;
        }
    return false;
}

bool fg_date_is_weekday(struct fg_str word)
{
    return fg_word_in(word, "mon tue wed thu fri sat sun monday tuesday wednesday "
                            "thursday friday saturday sunday tues wednes thur thurs");
}

bool fg_date_zone(struct fg_str word, int *minutes)
{
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (fg_word_in_list(word, zones[i].names)) {
            *minutes = zones[i].minutes;
            return true;
        }
    /* RFC 822 printed the signs of the military zones the wrong way round, so nobody
     * knows what a writer meant. J is not one of them. */
    *minutes = 0;
    return word.len == 1 && fg_is_alpha(word.at[0]) && fg_lower(word.at[0]) != 'j';
}
