-- Spends what is good once. `p_until` says for each how long it is remembered: until that moment in Unix seconds, where the
-- thing itself says when it ends (the same moment whenever it comes); negative, where the moment is counted from now; 0, where
-- it stands beside the next one, which it carries and without which it is never accepted: then that one alone is spent.
-- Answers 0, or the position of the first one that was spent before; the earlier position where the next one was spent with
-- this very credential.
-- Locks: advisory digest, spent (new), spent_codes. In the order given. The next caller with the digest waits and then sees the
-- row. A plain insert writes one WAL record less than `on conflict do nothing`; the key stays the last guard.
-- Invariant: what is good once is used once.
create or replace function spend(p_digests bytea[], p_until bigint[]) returns integer language plpgsql as $$
declare
    carrier bytea;
begin
    for i in 1 .. coalesce(array_length(p_digests, 1), 0) loop
        if p_until[i] = 0 then
            carrier := p_digests[i];
            continue;
        elsif p_until[i] > 0 then
            perform pg_advisory_xact_lock(hashtextextended(encode(p_digests[i], 'hex'), 5));
            if exists (select from spent s where s.expires_at = to_timestamp(p_until[i]) and s.digest = p_digests[i]) then
                return case when exists (select from spent s where s.expires_at = to_timestamp(p_until[i]) and s.digest = p_digests[i]
                                                               and s.beside = carrier)
                            then i - 1 else i end;
            end if;
            insert into spent (expires_at, digest, beside) values (to_timestamp(p_until[i]), p_digests[i], carrier);
        else
            insert into spent_codes (digest, expires_at) values (p_digests[i], to_timestamp(-p_until[i])) on conflict do nothing;
            if not found then
                return i;
            end if;
        end if;
        carrier := null;
    end loop;
    if carrier is not null then
        raise exception 'a credential beside nothing that is spent';
    end if;
    return 0;
end $$;
