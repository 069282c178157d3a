/* TLS and HTTP/2 against other people's servers: openssl's and nginx. */
#include "net/fetch_fixture.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char folder[64], certificate[100], key[100];

static pid_t spawn(const char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&pid, arguments[0], &actions, NULL,
                              (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed ? -1 : pid;
}

static bool run(const char *const *arguments)
{
    int status = -1;
    pid_t pid = spawn(arguments);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* A certificate that nobody but us has reason to trust. */
static void need_certificate(const char *alternative_name)
{
    char name[100];
    snprintf(folder, sizeof folder, "/tmp/forage-tls-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(certificate, sizeof certificate, "%s/cert.pem", folder);
    snprintf(key, sizeof key, "%s/key.pem", folder);
    snprintf(name, sizeof name, "subjectAltName=%s", alternative_name);
    const char *arguments[] = {"openssl",  "req",
                               "-x509",    "-newkey",
                               "rsa:2048", "-nodes",
                               "-keyout",  key,
                               "-out",     certificate,
                               "-days",    "2",
                               "-subj",    "/CN=forage test",
                               "-addext",  name,
                               NULL};
    if (!run(arguments)) {
        rmdir(folder);
        print_message("there is no openssl to make a certificate with\n");
        skip();
    }
}

static void remove_folder(void)
{
    const char *arguments[] = {"rm", "-rf", folder, NULL};
    run(arguments);
}

static unsigned free_port(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
    getsockname(fd, (struct sockaddr *)&address, &len);
    close(fd);
    return ntohs(address.sin_port);
}

static bool wait_for_port(unsigned port)
{
    for (int i = 0; i < 200; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        bool is_up = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
        close(fd);
        if (is_up)
            return true;
        usleep(50000);
    }
    return false;
}

static void stop(pid_t pid)
{
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
}

static pid_t start_openssl(unsigned port)
{
    char where[40];
    snprintf(where, sizeof where, "127.0.0.1:%u", port);
    const char *arguments[] = {"openssl", "s_server",  "-accept", where,
                               "-cert",   certificate, "-key",    key,
                               "-www",    "-quiet",    NULL};
    pid_t pid = spawn(arguments);
    assert_true(pid > 0);
    assert_true(wait_for_port(port));
    return pid;
}

static void a_certificate_nobody_signed_is_refused(void **state)
{
    (void)state;
    need_certificate("IP:127.0.0.1");
    unsigned port = free_port();
    pid_t server = start_openssl(port);
    struct fg_fetch_options options = local_options();
    char url[60];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/", port);
    struct got got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCH_TLS);
    assert_int_equal(got.status, 0);
    assert_true(strlen(got.why) > 0);
    got_clear(&got);
    /* The operator may vouch for it. */
    options.ca_file = certificate;
    got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCHED);
    assert_int_equal(got.status, 200);
    got_clear(&got);
    stop(server);
    remove_folder();
}

static void a_certificate_of_another_host_is_refused(void **state)
{
    (void)state;
    need_certificate("DNS:other.example");
    unsigned port = free_port();
    pid_t server = start_openssl(port);
    struct fg_fetch_options options = local_options();
    char url[60];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/", port);
    options.ca_file = certificate;
    struct got got = fetch_one(&options, url);
    assert_int_equal(got.outcome, FG_FETCH_TLS);
    got_clear(&got);
    stop(server);
    remove_folder();
}

static pid_t start_nginx(unsigned port)
{
    char path[100];
    snprintf(path, sizeof path, "%s/nginx.conf", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "daemon off; master_process off; pid %s/pid; error_log /dev/null;\n"
            "events {}\n"
            "http { access_log off; client_body_temp_path %s/a; proxy_temp_path %s/b;\n"
            "fastcgi_temp_path %s/c; uwsgi_temp_path %s/d; scgi_temp_path %s/e;\n"
            "server { listen 127.0.0.1:%u ssl http2; ssl_certificate %s;\n"
            "ssl_certificate_key %s; location / { return 200 'hello\\n'; } } }\n",
            folder, folder, folder, folder, folder, folder, port, certificate, key);
    fclose(f);
    const char *test[] = {"nginx", "-t", "-q", "-e", "/dev/null", "-c", path, NULL};
    if (!run(test))
        return -1;
    const char *arguments[] = {"nginx", "-e", "/dev/null", "-c", path, NULL};
    pid_t pid = spawn(arguments);
    return pid > 0 && wait_for_port(port) ? pid : -1;
}

static void http2_is_spoken_over_tls(void **state)
{
    (void)state;
    need_certificate("IP:127.0.0.1");
    unsigned port = free_port();
    pid_t server = start_nginx(port);
    if (server < 0) {
        remove_folder();
        print_message("there is no nginx to speak HTTP/2 with\n");
        skip();
    }
    struct fg_fetch_options options = local_options();
    struct fetching f;
    struct got got[20] = {0};
    char url[60];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/", port);
    options.ca_file = certificate;
    f = fetching_new(&options);
    for (int i = 0; i < 20; i++)
        fg_fetcher_start(f.fetcher, &(struct fg_request){.url = fg_str_from(url),
                                                         .done = got_take,
                                                         .context = &got[i]});
    fetching_run(&f);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(got[i].outcome, FG_FETCHED);
        assert_int_equal(got[i].status, 200);
        assert_int_equal(got[i].http_version, 20);
        assert_string_equal(got[i].body, "hello\n");
        got_clear(&got[i]);
    }
    fetching_end(&f);
    options.http2 = false;
    got[0] = fetch_one(&options, url);
    assert_int_equal(got[0].outcome, FG_FETCHED);
    assert_int_equal(got[0].http_version, 11);
    got_clear(&got[0]);
    stop(server);
    remove_folder();
}

FG_TESTS(a_certificate_nobody_signed_is_refused, a_certificate_of_another_host_is_refused,
         http2_is_spoken_over_tls)
