/* run_xapian index|ask FOLDER: what run_search.c does, by Xapian: its English stemmer, BM25,
 * texts kept for snippets; first any word of a query, then all of them. */
#include <xapian.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <vector>

/* Time on a processor. */
static double spent()
{
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

static double micros(double from)
{
    return spent() - from;
}

static void index(const std::string &folder)
{
    std::string path = folder + "/xapian.db";
    Xapian::Stem stemmer("english");
    double bytes = 0;
    size_t n = 0;
    auto start = spent();
    {
        Xapian::WritableDatabase db(path, Xapian::DB_CREATE_OR_OVERWRITE);
        Xapian::TermGenerator generator;
        generator.set_stemmer(stemmer);
        std::ifstream in(folder + "/texts");
        for (std::string line; std::getline(in, line); n++) {
            bytes += line.size();
            size_t tab = line.find('\t');
            Xapian::Document doc;
            generator.set_document(doc);
            generator.set_termpos(0);
            generator.index_text(line.substr(0, tab), 3);
            generator.increase_termpos();
            generator.index_text(line.substr(tab + 1));
            doc.set_data(line.substr(tab + 1));
            db.add_document(doc);
        }
        db.commit();
    }
    double seconds = micros(start) / 1e6;
    std::string du = "du -sb " + path + " | cut -f 1";
    long long file = 0;
    if (FILE *p = popen(du.c_str(), "r")) {
        if (fscanf(p, "%lld", &file) != 1)
            file = 0;
        pclose(p);
    }
    printf("texts=%zu bytes=%.0f index_s=%.2f file=%lld memory_kb=0\n", n, bytes, seconds,
           file);
}

static void ask(const std::string &folder)
{
    Xapian::Stem stemmer("english");
    Xapian::Database db(folder + "/xapian.db");
    Xapian::QueryParser parser;
    parser.set_stemmer(stemmer);
    parser.set_database(db);
    for (int all = 0; all < 2; all++) {
        parser.set_default_op(all ? Xapian::Query::OP_AND : Xapian::Query::OP_OR);
        std::vector<double> us;
        double total = 0;
        std::ifstream queries(folder + "/queries");
        for (std::string line; std::getline(queries, line);) {
            auto from = spent();
            Xapian::Enquire enquire(db);
            enquire.set_query(parser.parse_query(line));
            Xapian::MSet set = enquire.get_mset(0, 10);
            for (auto i = set.begin(); i != set.end(); ++i)
                set.snippet(i.get_document().get_data(), 200, stemmer);
            us.push_back(micros(from));
            total += us.back();
        }
        std::sort(us.begin(), us.end());
        size_t n = us.size();
        const char *mode = all ? "all_" : "";
        printf("%squeries=%zu %sqps=%.0f %sp50=%.0f %sp90=%.0f %sp99=%.0f %smax=%.0f\n",
               mode, n, mode, n / (total / 1e6), mode, us[n / 2], mode, us[n * 9 / 10],
               mode, us[n * 99 / 100], mode, us.back());
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    (std::string(argv[1]) == "ask" ? ask : index)(argv[2]);
    return 0;
}
