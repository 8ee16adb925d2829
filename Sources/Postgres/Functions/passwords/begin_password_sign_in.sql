-- Charges a password attempt and finds the password of a name. Unknown and disabled accounts return the same shape. A
-- pending sign-up of this client with that name and a password is always looked up: a look-up for unknown names only
-- would reveal which names have an account.
-- Locks: *take_from_throttles.
create or replace function begin_password_sign_in(
    p_kind text, p_key text, p_client text, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_mark bytea, p_mark_buckets bytea[], p_mark_bursts bigint[], p_mark_periods bigint[],
    out wait double precision, out account_id uuid, out status text, out password_state text, out hash text,
    out sign_up uuid, out sign_up_hash text, out known_device boolean, out srp_realm text)
language plpgsql as $$
begin
    -- A known device has buckets of its own.
    known_device := p_mark is not null and is_known_device(account_to_sign_in(p_kind, p_key), p_mark);
    wait := case when known_device then take_from_throttles(p_mark_buckets, p_mark_bursts, p_mark_periods)
                 else take_from_throttles(p_buckets, p_bursts, p_periods) end;
    if wait > 0 then
        return;
    end if;
    select a.id, a.status, a.password_state, w.hash, (w.srp).realm into account_id, status, password_state, hash, srp_realm
      from accounts a left join passwords w on w.account_id = a.id
     where a.id = account_to_sign_in(p_kind, p_key);
    select f.id, f.state->'password'->>'hash' into sign_up, sign_up_hash from flows f
     where f.kind = 'sign_up' and f.address_key = p_key and f.client_id = p_client and f.expires_at > now() and not f.state ? 'proved'
       and f.state->'password'->>'hash' is not null
     order by f.created_at desc limit 1;
end $$;
