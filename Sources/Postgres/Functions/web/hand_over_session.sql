-- Begins the session of an app from the session of the user's browser. It has the proofs of the browser's one, and ends unless its
-- handover code is redeemed. An authorization request is deleted, so it is used once. `p_sector`: that of the app; null if it knows
-- account ids. Where an operator acts for the user, the new session has the same mark and end.
-- Locks: accounts (for key share), sessions (for share), authorization_requests, *pairwise_subject, account_apps.
-- Outcomes: session_ended, deletion_waits, request_used, handed_over
-- Invariant: an ended session stays ended; a single-use value is used once.
create or replace function hand_over_session(
    p_account uuid, p_browser uuid, p_request uuid, p_session uuid, p_client text, p_digest bytea, p_unclaimed_seconds integer,
    p_max_seconds integer, p_administers boolean, p_scopes text[], p_claims jsonb, p_dialect text, p_outlives boolean,
    p_address text, p_user_agent text, p_request_id text, p_sector text)
returns text language plpgsql as $$
declare
    browser sessions;
    outlives boolean;
begin
    perform 1 from accounts where id = p_account and status = 'active' for key share;
    if not found then
        return 'session_ended';
    end if;
    -- For share, so that a sign-out of the browser waits for this session, and ends it too.
    select * into browser from sessions
     where id = p_browser and account_id = p_account and ended_at is null and idle_expires_at > now() and expires_at > now()
       for share;
    if not found then
        return 'session_ended';
    end if;
    outlives := p_outlives and browser.actor_id is null;
    if browser.actor_id is not null then
        perform act_as(browser.actor_id, null);
    end if;
    if p_dialect is not null and deletion_waits(p_account, null) then
        return 'deletion_waits';
    end if;
    if p_request is not null then
        delete from authorization_requests where id = p_request and expires_at > now();
        if not found then
            return 'request_used';
        end if;
    end if;
    insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, proofs, rotated_at,
                          idle_seconds, idle_expires_at, expires_at, device_name, address, user_agent, administers, scopes, requested_claims,
                          dialect, subject, browser_id, outlives_browser, actor_id, language)
    values (p_session, p_account, p_client, browser.identity_id, browser.provider, browser.auth_time, browser.amr, browser.acr, p_digest,
            browser.proofs, now(), p_unclaimed_seconds, now() + make_interval(secs => p_unclaimed_seconds),
            case when outlives then now() + make_interval(secs => p_max_seconds)
                 else least(browser.expires_at, now() + make_interval(secs => p_max_seconds)) end,
            browser.device_name, p_address, p_user_agent, p_administers, p_scopes, p_claims,
            p_dialect, case when p_sector is not null then pairwise_subject(p_account, p_sector) end, p_browser, outlives,
            browser.actor_id, browser.language);
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values ('app_signed_in', 'done', 'browser_session', p_account, browser.identity_id, p_session, p_client, browser.provider, p_address,
            p_request_id, jsonb_build_object('browser_session', p_browser));
    if browser.actor_id is null and not exists (
                   select from accounts a
                    where a.id = p_account
                      and (a.client_id = p_client
                           or exists (select from account_apps m where m.account_id = a.id and m.client_id = p_client))) then
        insert into account_apps (account_id, client_id) values (p_account, p_client) on conflict do nothing;
    end if;
    return 'handed_over';
end $$;
