-- Handles a doubtful token: sessions and flows of its identity end; account, identity and token stay, and the token is
-- checked again the next day. If more than `p_most` identities of the provider are affected within `p_window_seconds`,
-- the fault is probably ours, and nothing ends.
-- Locks: advisory doubtful tokens, accounts (for update), provider_tokens (for update), *lock_sessions, sessions, *note_logout, flows. The
-- identity is read again under the account's lock, because it may have moved.
-- Outcomes: gone, known, held_back, ended
-- Invariant: an ended session stays ended.
create or replace function settle_doubtful_token(p_identity uuid, p_client text, p_kind text, p_stored_at timestamptz, p_most integer, p_window_seconds integer)
returns text language plpgsql as $$
declare
    who identities;
    is_news boolean;
    doubtful integer;
    ended integer;
begin
    -- Serialized, before any account lock: concurrent calls would not count each other.
    perform pg_advisory_xact_lock(hashtextextended('doubtful tokens', 6));
    loop   -- until the identity's owner is locked
        select * into who from identities where id = p_identity;
        if not found then
            return 'gone';
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id);
    end loop;
    select t.doubtful_at is null or t.doubtful_at < t.stored_at
           or exists (select from sessions s where s.account_id = who.account_id and s.identity_id = who.id
                                               and s.ended_at is null and s.expires_at > now())
      into is_news
      from provider_tokens t
     where t.identity_id = p_identity and t.client_id = p_client and t.kind = p_kind and t.stored_at = p_stored_at for update;
    if not found then
        return 'gone';
    end if;
    update provider_tokens set checked_at = now(), doubtful_at = case when is_news then now() else doubtful_at end
     where identity_id = p_identity and client_id = p_client and kind = p_kind;
    if not is_news then
        return 'known';
    end if;
    select count(distinct t.identity_id) into doubtful
      from provider_tokens t join identities i on i.id = t.identity_id
     where t.doubtful_at > now() - make_interval(secs => p_window_seconds) and t.doubtful_at >= t.stored_at and i.provider = who.provider;
    if doubtful > p_most then
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider)
        values ('provider_token_doubtful', 'done', 'held_back', who.account_id, who.id, who.provider);
        return 'held_back';
    end if;
    perform lock_sessions(array[who.account_id]);
    update sessions set ended_at = now(), end_reason = 'provider_token_doubtful'
     where account_id = who.account_id and identity_id = who.id and ended_at is null;
    get diagnostics ended = row_count;
    delete from flows where account_id = who.account_id and identity_id = who.id;
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, detail)
    values ('provider_token_doubtful', 'done', 'sessions_ended', who.account_id, who.id, who.provider,
            jsonb_build_object('sessions', ended));
    perform pg_notify('gateway_sessions', 'account:' || who.account_id);
    return 'ended';
end $$;
