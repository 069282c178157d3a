/* date_names.c - months, weekdays and zones by name */
#include "net/text/date_names.h"

static const char *const months[12] = {
    "jan january januar janv janvier ene enero gen gennaio janeiro januari január Ιαν "
    "ledna stycznia tammikuuta ocak января",
    "feb february februar fev fév févr février febrero febbraio februari február Φεβ "
    "února lutego helmikuuta şubat февраля",
    "mar march märz mrz maerz mars marzo março marco maart mrt március Μαρ Μάρ "
    "marts března marca maaliskuuta mart марта",
    "apr april avr avril abr abril aprile április Απρ "
    "dubna kwietnia huhtikuuta nisan апреля",
    "may mai mayo mag maggio maio mei május Μαι Μάι Μαϊ "
    "maj května maja toukokuuta mayıs мая",
    "jun june juni juin junio giu giugno junho június Ιουν Ιούν Ιον "
    "června czerwca kesäkuuta haziran июня",
    "jul july juli juil juillet julio lug luglio julho július Ιουλ Ιούλ Ιολ "
    "července lipca heinäkuuta temmuz июля",
    "aug august août aout ago agosto augustus augusztus Αυγ Αύγ "
    "augusti srpna sierpnia elokuuta ağustos августа",
    "sep sept september septembre septiembre set settembre setembro szeptember Σεπ "
    "září września syyskuuta eylül сентября",
    "oct october oktober okt octobre octubre ott ottobre outubro out október Οκτ "
    "října października lokakuuta ekim октября",
    "nov november novembre noviembre novembro Νοε Νοέ "
    "listopadu listopada marraskuuta kasım ноября",
    "dec december dezember dez déc décembre dic diciembre dicembre dezembro Δεκ "
    "desember prosince grudnia joulukuuta aralık декабря",
};

/* Offsets in minutes. Letters that several places claim (CST, IST, BST) go to the one
 * that mail and feeds mean by them. "ET" and its sisters are standard time: the season is
 * not ours to guess. */
static const struct {
    int minutes;
    const char *names;
} zones[] = {
    {0, "gmt utc ut z wet"},
    {-600, "hst"},
    {-540, "akst"},
    {-480, "pst akdt pt"},
    {-420, "mst pdt mt"},
    {-360, "cst mdt ct"},
    {-300, "est cdt et"},
    {-240, "edt ast"},
    {-210, "nst"},
    {-180, "adt brt art"},
    {-150, "ndt"},
    {60, "cet met mez bst west"},
    {120, "cest mest mesz eet sast"},
    {180, "eest msk"},
    {240, "msd"},
    {300, "pkt"},
    {330, "ist"},
    {420, "ict wib"},
    {480, "sgt hkt awst"},
    {540, "jst kst"},
    {570, "acst"},
    {600, "aest"},
    {660, "aedt"},
    {720, "nzst"},
    {780, "nzdt"},
};

static bool is_listed(const char *names, struct fg_str word)
{
    struct fg_str rest = fg_str_from(names), name;
    while (fg_str_cut(&rest, ' ', &name))
        if (fg_str_eq_nocase(name, word))
            return true;
    return false;
}

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
        if (is_listed(months[i], word)) {
            *month = i + 1;
            return true;
        }
    return false;
}

bool fg_date_is_weekday(struct fg_str word)
{
    return is_listed("mon tue wed thu fri sat sun monday tuesday wednesday thursday "
                     "friday saturday sunday tues wednes thur thurs",
                     word);
}

bool fg_date_zone(struct fg_str word, int *minutes)
{
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (is_listed(zones[i].names, word)) {
            *minutes = zones[i].minutes;
            return true;
        }
    /* RFC 822 printed the signs of the military zones the wrong way round, so nobody
     * knows what a writer meant. J is not one of them. */
    *minutes = 0;
    return word.len == 1 && fg_is_alpha(word.at[0]) && fg_lower(word.at[0]) != 'j';
}
